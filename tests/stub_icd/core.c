/* core.c - the log, the lock, objects, errors on demand, the hook. */
#include "stub.h"
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *log_file;
static const char *current; /* call being served */
static struct stub_callback *due;
static unsigned serials[KINDS], live[KINDS];
static struct stub_object *spare[KINDS];
static bool recycle;
static const char *demands;

static const char *const kind_names[KINDS] = {"platform", "device",  "context", "queue", "memory",
                                              "sampler",  "program", "kernel",  "event"};
static const size_t kind_bytes[KINDS] = {
    [CONTEXT] = sizeof(struct _cl_context), [QUEUE] = sizeof(struct _cl_command_queue),
    [MEMORY] = sizeof(struct _cl_mem),      [SAMPLER] = sizeof(struct _cl_sampler),
    [PROGRAM] = sizeof(struct _cl_program), [KERNEL] = sizeof(struct _cl_kernel),
    [EVENT] = sizeof(struct _cl_event)};

bool stub_lazy, stub_still;
cl_uint stub_ndevice;
enum stub_cost stub_cost;

const char *stub_option(const char *name)
{
    const char *text = getenv(name);

    return text && *text ? text : NULL;
}

size_t stub_number(const char *name)
{
    const char *text = stub_option(name);

    return text ? strtoul(text, NULL, 10) : 0;
}

void stub_may_end(void)
{
    if (stub_number("STUB_CANCEL"))
        pthread_testcancel();
}

bool stub_chosen(const char *name, const char *text)
{
    const char *option = stub_option(name);

    return option && strcmp(option, text) == 0;
}

unsigned stub_version(void)
{
    const char *text = stub_option("STUB_VERSION");
    unsigned major = 3, minor = 0;

    return text && sscanf(text, "%u.%u", &major, &minor) != 2 ? 0 : 100 * major + 10 * minor;
}

static void say_exit(void)
{
    fputs("stub: exit\n", stderr);
}

__attribute__((constructor)) static void start(void)
{
    const char *path = stub_option("STUB_LOG"), *cost = stub_option("STUB_COST");

    recycle = stub_option("STUB_RECYCLE") != NULL;
    demands = stub_option("STUB_FAIL");
    stub_lazy = stub_option("STUB_LAZY") != NULL;
    stub_still = stub_option("STUB_STILL") != NULL;
    stub_ndevice = stub_option("STUB_DEVICES") ? 2 : 1;
    if (cost)
        stub_cost = strcmp(cost, "local") == 0  ? COST_LOCAL
                    : strcmp(cost, "none") == 0 ? COST_NONE
                                                : COST_FLAT;
    if (path && !(log_file = fopen(path, "wxe")) && errno != EEXIST) /* the file is another process's */
        perror(path);
    if (log_file)
        setvbuf(log_file, NULL, _IOLBF, 4096);
    if (stub_option("STUB_EXIT"))
        atexit(say_exit);
}

__attribute__((destructor)) static void stop(void)
{
    if (!stub_option("STUB_LEAKS"))
        return;
    pthread_mutex_lock(&lock);
    for (unsigned k = CONTEXT; k < KINDS; k++)
        if (live[k])
            fprintf(stderr, "stub: %u %s left\n", live[k], kind_names[k]);
    pthread_mutex_unlock(&lock);
}

/* ---- errors on demand ------------------------------------------------------------------------------ */

/* STUB_FAIL for this call; counts calls of names that want the Nth. */
static cl_int demanded(const char *name)
{
    static unsigned seen[16];
    const char *at = demands;
    const size_t length = at ? strlen(name) : 0;

    for (unsigned i = 0; at && i < 16; i++) {
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            char *end;
            const long code = strtol(at + length + 1, &end, 10);
            const long nth = *end == '@' ? strtol(end + 1, NULL, 10) : 0;
            seen[i]++;
            if (!nth || seen[i] == (unsigned)nth)
                return (cl_int)code;
        }
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    return CL_SUCCESS;
}

/* ---- the hook -------------------------------------------------------------------------------------- */

/* A function of the program's, run in another thread at the beginning of every call, which waits for it: the
 * program's hook may call OpenCL, so whoever holds a lock across a call to the driver that the hook's calls
 * want as well is found out. */

static void(CL_CALLBACK *hook)(const char *name, void *data);
static void *hook_data;
static atomic_bool hooked;
static pthread_mutex_t hook_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t hook_changed = PTHREAD_COND_INITIALIZER;
static const char *hook_for; /* a call that waits for the hook */
static unsigned hooks_done;
static _Thread_local bool in_hook;

static void *hook_thread(void *unused)
{
    (void)unused;
    in_hook = true;
    pthread_mutex_lock(&hook_lock);
    for (;;) {
        const char *name;
        while (!hook_for)
            pthread_cond_wait(&hook_changed, &hook_lock);
        name = hook_for;
        pthread_mutex_unlock(&hook_lock);
        hook(name, hook_data);
        pthread_mutex_lock(&hook_lock);
        hook_for = NULL;
        hooks_done++;
        pthread_cond_broadcast(&hook_changed);
    }
    return NULL;
}

/* stubSetHook(function, data): reached through clGetExtensionFunctionAddressForPlatform. */
void CL_API_CALL stub_set_hook(void(CL_CALLBACK *function)(const char *, void *), void *data);
void CL_API_CALL stub_set_hook(void(CL_CALLBACK *function)(const char *, void *), void *data)
{
    static bool running;
    pthread_t thread;

    pthread_mutex_lock(&hook_lock);
    hook = function;
    hook_data = data;
    atomic_store(&hooked, function != NULL);
    if (function && !running)
        running = pthread_create(&thread, NULL, hook_thread, NULL) == 0 && pthread_detach(thread) == 0;
    pthread_mutex_unlock(&hook_lock);
}

static void run_hook(const char *name)
{
    const char *patience;
    struct timespec end;
    unsigned before;

    if (in_hook || !atomic_load(&hooked))
        return;
    pthread_mutex_lock(&hook_lock);
    if (hook) {
        while (hook_for)
            pthread_cond_wait(&hook_changed, &hook_lock);
        hook_for = name;
        patience = stub_option("STUB_HOOK_MS");
        before = hooks_done;
        pthread_cond_broadcast(&hook_changed);
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_sec += patience ? atoi(patience) / 1000 : 5;
        while (before == hooks_done)
            if (pthread_cond_timedwait(&hook_changed, &hook_lock, &end)) {
                fprintf(stderr, "stub: the hook in %s waits for its caller\n", name);
                _Exit(99);
            }
    }
    pthread_mutex_unlock(&hook_lock);
}

/* ---- the log --------------------------------------------------------------------------------------- */

static void print_object(const struct stub_object *o)
{
    if (!o)
        fputs("NULL", log_file);
    else if (o->dispatch != &stub_dispatch || o->kind >= KINDS)
        fputs("nonsense", log_file);
    else
        fprintf(log_file, "%s#%u%s", kind_names[o->kind], o->serial, o->refs ? "" : "!released");
}

static void print_list(char kind, size_t n, const void *list)
{
    if (!list) {
        fprintf(log_file, "%zu:NULL", n);
        return;
    }
    fputc('[', log_file);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? " " : "", log_file);
        if (kind == 'O')
            print_object(((const struct stub_object *const *)list)[i]);
        else if (kind == 'z')
            fprintf(log_file, "%zu", ((const size_t *)list)[i]);
        else
            fprintf(log_file, "%02x", ((const unsigned char *)list)[i]);
    }
    fputc(']', log_file);
}

static void print_arguments(const char *format, va_list args)
{
    for (const char *f = format; *f; f++) {
        const char *text;
        size_t n;
        fputs(f == format ? "(" : ", ", log_file);
        switch (*f) {
        case 'o':
            print_object(va_arg(args, const void *));
            break;
        case 'u':
            fprintf(log_file, "%zu", va_arg(args, size_t));
            break;
        case 'x':
            fprintf(log_file, "0x%" PRIx64, (uint64_t)va_arg(args, cl_ulong));
            break;
        case 'd':
            fprintf(log_file, "%d", va_arg(args, int));
            break;
        case 's':
            text = va_arg(args, const char *);
            fprintf(log_file, text ? "\"%.60s\"" : "NULL", text);
            break;
        case 'p':
            fputs(va_arg(args, const void *) ? "set" : "NULL", log_file);
            break;
        default: /* O, z, m */
            n = va_arg(args, size_t);
            print_list(*f, n, va_arg(args, const void *));
            break;
        }
    }
    fputs(*format ? ")" : "()", log_file);
}

/* ---- calls ----------------------------------------------------------------------------------------- */

cl_int stub_begin(const char *name)
{
    run_hook(name);
    pthread_mutex_lock(&lock);
    current = name;
    return demanded(name);
}

void stub_callback_due(struct stub_callback *c)
{
    struct stub_callback **at = &due;

    while (*at)
        at = &(*at)->next;
    c->next = NULL;
    *at = c;
}

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void stub_wait_change(void)
{
    const char *name = current;

    pthread_cond_wait(&changed, &lock);
    current = name;
}

void stub_changed(void)
{
    pthread_cond_broadcast(&changed);
}

static void unlock_and_call_back(void)
{
    while (due) {
        struct stub_callback *c = due;
        due = c->next;
        pthread_mutex_unlock(&lock);
        c->notify(c->event, c->status, c->data);
        pthread_mutex_lock(&lock);
        stub_unhold(c->event);
        free(c);
    }
    pthread_mutex_unlock(&lock);
}

cl_int stub_end(cl_int error, const char *format, ...)
{
    va_list args;

    if (log_file) {
        fputs(current, log_file);
        va_start(args, format);
        print_arguments(format, args);
        va_end(args);
        fprintf(log_file, " = %d\n", error);
    }
    unlock_and_call_back();
    return error;
}

void *stub_made(void *object, cl_int error, cl_int *errcode_ret, const char *format, ...)
{
    va_list args;

    if (!error && !object)
        error = CL_OUT_OF_HOST_MEMORY;
    if (errcode_ret)
        *errcode_ret = error;
    if (log_file) {
        fputs(current, log_file);
        va_start(args, format);
        print_arguments(format, args);
        va_end(args);
        fputs(" = ", log_file);
        print_object(error ? NULL : object);
        fprintf(log_file, ", %d\n", error);
    }
    unlock_and_call_back();
    return error ? NULL : object;
}

/* ---- objects --------------------------------------------------------------------------------------- */

/* Objects of one kind have one size, and are kept: recycled, or to recognise handles that were released. */
void *stub_new(enum stub_kind kind, size_t bytes)
{
    struct stub_object *o = recycle ? spare[kind] : NULL;

    if (o) {
        spare[kind] = o->next_free;
        memset(o, 0, bytes);
    } else if (!(o = calloc(1, bytes))) {
        return NULL;
    }
    o->dispatch = &stub_dispatch;
    o->kind = kind;
    o->refs = 1;
    o->serial = ++serials[kind];
    live[kind]++;
    return o;
}

bool stub_is(const void *object, enum stub_kind kind)
{
    const struct stub_object *o = object;

    return o && o->dispatch == &stub_dispatch && o->kind == kind && (o->refs || o->held);
}

/* Released objects stay allocated, and reachable from here. */
static void drop(struct stub_object *o)
{
    if (o->refs || o->held)
        return;
    if (o->kind == MEMORY)
        stub_drop_memory((cl_mem)o);
    else if (o->kind == PROGRAM)
        stub_drop_program((cl_program)o);
    else if (o->kind == KERNEL)
        stub_unhold(((cl_kernel)o)->program);
    else if (o->kind == QUEUE)
        stub_unhold(((cl_command_queue)o)->last);
    else if (o->kind == EVENT)
        stub_drop_event((cl_event)o);
    live[o->kind]--;
    o->next_free = spare[o->kind];
    spare[o->kind] = o;
    if (!recycle)
        memset(o + 1, 0xdb, kind_bytes[o->kind] - sizeof *o);
}

cl_int stub_retain(void *object, enum stub_kind kind, cl_int invalid)
{
    struct stub_object *o = object;

    if (!stub_is(o, kind) || !o->refs)
        return invalid;
    o->refs++;
    return CL_SUCCESS;
}

cl_int stub_release(void *object, enum stub_kind kind, cl_int invalid)
{
    struct stub_object *o = object;

    if (!stub_is(o, kind) || !o->refs)
        return invalid;
    o->refs--;
    drop(o);
    return CL_SUCCESS;
}

void stub_hold(void *object)
{
    struct stub_object *o = object;

    if (o)
        o->held++;
}

void stub_unhold(void *object)
{
    struct stub_object *o = object;

    if (!o)
        return;
    o->held--;
    drop(o);
}

cl_int stub_answer(const void *data, size_t bytes, size_t size, void *value, size_t *size_ret)
{
    if (value && size < bytes)
        return CL_INVALID_VALUE;
    if (value && bytes)
        memcpy(value, data, bytes);
    if (size_ret)
        *size_ret = bytes;
    return CL_SUCCESS;
}

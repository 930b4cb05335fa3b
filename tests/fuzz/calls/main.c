/* calls SOURCE SEED STEPS [THREADS] - a random program, as far as an OpenCL host goes.
 *
 * SOURCE is calls.cl.  SEED decides everything: queues, objects, and STEPS calls or bursts of launches on
 * them, by the table below.  What one command leaves and another one needs is waited for (waiting.c), and
 * nothing else is: so whatever is faster, the same is left in memory.
 *
 * stdout has a line per step: its number, what it did, return codes and checksums.  With THREADS each thread
 * plays a program of its own, seeds from SEED, in one context.  Exit status: 0, 1 on errors that no step
 * expects, 77 without a device. */
#include <pthread.h>
#include <stdarg.h>
#include <unistd.h>

#include "calls.h"

#define MAX_THREADS 3

static const struct {
    unsigned weight;
    void (*take)(struct player *p);
} steps[] = {{60, launches},
             {2, cloned},
             {2, relayed},
             {8, read_now},
             {4, read_later},
             {2, read_rect},
             {4, write_to},
             {2, write_rect},
             {4, copy},
             {3, fill_part},
             {3, map},
             {3, map_to_write},
             {1, map_image},
             {1, fill_image},
             {1, copy_image},
             {2, image_to_buffer},
             {1, buffer_to_image},
             {1, part_of_image},
             {2, follow},
             {3, barrier},
             {2, marker},
             {1, migrate},
             {4, new_user},
             {4, renew},
             {2, new_kernel},
             {2, new_program},
             {1, new_queue},
             {2, elsewhere},
             {2, references},
             {2, times},
             {3, mistake}};

unsigned upto(struct player *p, unsigned n)
{
    return app_random(&p->seed) % n;
}

bool one_in(struct player *p, unsigned n)
{
    return upto(p, n) == 0;
}

void say(struct player *p, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fprintf(p->out, "%u ", p->step);
    vfprintf(p->out, format, args);
    fputc('\n', p->out);
    va_end(args);
}

static unsigned total_weight(void)
{
    unsigned total = 0;

    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++)
        total += steps[i].weight;
    return total;
}

static void take_step(struct player *p)
{
    unsigned i = 0, left;

    if (p->user.event && !p->user.steps--)
        set_user(p);
    for (left = upto(p, total_weight()); left >= steps[i].weight; i++)
        left -= steps[i].weight;
    steps[i].take(p);
}

/* ---- begin ----------------------------------------------------------------------------------------- */

static void look_at_device(struct player *p)
{
    char version[128] = "";
    cl_uint bits = 0;
    unsigned major = 1, minor = 0;

    CL_CHECK(clGetDeviceInfo(p->app->device, CL_DEVICE_VERSION, sizeof version, version, NULL));
    sscanf(version, "OpenCL %u.%u", &major, &minor);
    p->clones = major * 10 + minor >= 21;
    p->newest = major >= 3;
    CL_CHECK(clGetDeviceInfo(p->app->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL));
    p->align = bits / 8 > 4 ? bits / 8 : 4;
}

static void make_queues(struct player *p)
{
    p->alike = one_in(p, 2);
    p->nqueue = one_in(p, 2) ? 1 : 2 + upto(p, QUEUES - 1);
    p->calm = p->nqueue == 1;
    p->calls_back = one_in(p, 3);
    for (unsigned i = 0; i < p->nqueue; i++) {
        struct queue *q = &p->queue[i];
        q->ordered = i == 0 || one_in(p, 2);
        q->timed = one_in(p, 2);
        make_queue(p, q);
    }
}

static void start(struct player *p)
{
    static const enum kind kinds[OBJECTS] = {INT,   INT, INT, INT, INT,   FLOAT, FLOAT,
                                             FLOAT, SVM, SVM, SVM, IMAGE, IMAGE};
    struct app app = *p->app;

    look_at_device(p);
    p->program = app_build(&app, p->source, "");
    p->from_source = true;
    make_kernels(p);
    for (unsigned i = 0; i < FAVOURITES; i++) {
        /* the first ones twice as often: there is more to be done about them */
        p->favourite[i].kernel = (enum kernel)upto(p, one_in(p, 2) ? HALVES : KERNELS);
        p->favourite[i].seed = upto(p, 1u << 20);
    }
    make_queues(p);
    for (unsigned i = 0; i < OBJECTS; i++)
        make_object(p, &p->object[i], kinds[i]);
}

/* ---- end ------------------------------------------------------------------------------------------- */

static void tell_what_was_read(struct player *p)
{
    for (unsigned i = 0; i < p->nread; i++) {
        say(p, "read: %016llx", hash(p->read[i].to, p->read[i].bytes));
        free(p->read[i].to);
    }
}

static void tell_what_is_left(struct player *p)
{
    for (struct object *o = p->object; o < p->object + OBJECTS; o++) {
        struct command c = {.q = &p->queue[0]};
        void *to = app_alloc(o->bytes);
        CL_CHECK(read_to(o, &c, CL_TRUE, to, NULL));
        say(p, "left in %d: %016llx", number_of(p, o), hash(to, o->bytes));
        free(to);
    }
}

static void finish(struct player *p)
{
    settle(p);
    tell_what_was_read(p);
    tell_what_is_left(p);
    leave_elsewhere(p);
    for (unsigned i = 0; i < OBJECTS; i++)
        drop_object(p, &p->object[i]);
    settle(p);
    drop_kernels(p);
    CL_CHECK(clReleaseProgram(p->program));
    for (unsigned i = 0; i < p->nqueue; i++)
        CL_CHECK(clReleaseCommandQueue(p->queue[i].handle));
    for (unsigned i = 0; i < 5000 && atomic_load(&p->called) < p->expected; i++)
        usleep(1000);
    say(p, "%u callbacks of %u", atomic_load(&p->called), p->expected);
}

static void *play(void *player)
{
    struct player *p = player;
    size_t length;

    p->out = open_memstream(&p->text, &length);
    if (!p->out)
        exit(1);
    start(p);
    for (; p->step < p->steps; p->step++)
        take_step(p);
    finish(p);
    fclose(p->out);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct player player[MAX_THREADS];
    struct app app = {.name = "calls"};
    pthread_t thread[MAX_THREADS];

    if (argc < 4)
        return 2;
    const uint32_t seed = (uint32_t)strtoul(argv[2], NULL, 10);
    const unsigned threads = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1;
    char *source = app_read_text(argv[1]);
    if (!threads || threads > MAX_THREADS)
        return 2;
    app_open(&app);
    for (unsigned i = 0; i < threads; i++) {
        player[i].app = &app;
        player[i].source = source;
        player[i].seed = (seed + i) * 2654435761u;
        player[i].steps = (unsigned)strtoul(argv[3], NULL, 10);
        if (threads == 1)
            play(&player[i]);
        else if (pthread_create(&thread[i], NULL, play, &player[i]))
            return 1;
    }
    for (unsigned i = 0; i < threads; i++) {
        if (threads > 1)
            pthread_join(thread[i], NULL);
        fputs(player[i].text, stdout);
        free(player[i].text);
    }
    free(source);
    return app_end(&app);
}

/* host - a program that loads libembedded.so and ends, or lives on, in the way of its first argument:
 *
 *   exit  _exit  quick_exit  signal  abort  exec     after the launches
 *   atexit       the launches happen in an exit handler, again after those of main
 *   late         in a destructor that runs when the libraries' own destructors have begun
 *   reload       the library, and libOpenCL with it, is closed and loaded again, three times
 *   threads      launches from threads that end, one after another
 *   cancel       a launching thread is cancelled
 *   leader       the first thread ends, and another one launches; _exit when that is done
 *   itimer       signals arrive all the time, with and without SA_RESTART
 *   stack        launches on a thread with a small stack
 *   loading      the library has no OpenCL but in its name: calls, while another thread loads libraries
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static const char *way, *library;
static void *handle;

static void launch(const char *where)
{
    int (*run)(void);

    handle = dlopen(library, RTLD_NOW);
    if (!handle) {
        fprintf(stderr, "host: %s\n", dlerror());
        exit(2);
    }
    *(void **)&run = dlsym(handle, "embedded_main");
    printf("%s: %d\n", where, run());
    fflush(stdout);
}

static void at_exit(void)
{
    launch("exit handler");
}

__attribute__((destructor)) static void late(void)
{
    if (way && !strcmp(way, "late"))
        launch("destructor");
}

static void *thread(void *where)
{
    launch(where);
    return NULL;
}

static void *endless(void *unused)
{
    int (*run)(void);

    (void)unused;
    *(void **)&run = dlsym(handle, "embedded_main");
    for (;;) {
        run();
        pthread_testcancel();
    }
    return NULL;
}

static void ignore(int signal)
{
    (void)signal;
}

static atomic_bool enough;

static void *loads(void *unused)
{
    (void)unused;
    while (!atomic_load(&enough)) {
        dlclose(dlopen("libm.so.6", RTLD_NOW));
        usleep(50); /* the dynamic linker's lock is not fair: without a pause nobody else may ever get it */
    }
    return NULL;
}

/* Nobody finds the functions behind the preloaded one, so each call looks for them again. */
static void call_without_loader(void)
{
    int (*finish)(void *), error = 0;
    pthread_t t;

    *(void **)&finish = dlsym(RTLD_DEFAULT, "clFinish");
    if (!finish || !dlopen(library, RTLD_NOW) || pthread_create(&t, NULL, loads, NULL))
        exit(2);
    for (int i = 0; i < 2000; i++)
        error = finish(NULL);
    atomic_store(&enough, true);
    pthread_join(t, NULL);
    printf("loading: %d\n", error);
}

static void run_thread(void *(*function)(void *), void *argument, size_t stack, int cancel_ms)
{
    pthread_attr_t attr;
    pthread_t t;

    pthread_attr_init(&attr);
    if (stack)
        pthread_attr_setstacksize(&attr, stack);
    if (pthread_create(&t, &attr, function, argument))
        exit(2);
    if (cancel_ms) {
        usleep((useconds_t)cancel_ms * 1000);
        pthread_cancel(t);
    }
    pthread_join(t, NULL);
    pthread_attr_destroy(&attr);
}

static void *last_thread(void *unused)
{
    (void)unused;
    launch("without the first thread");
    _exit(0);
}

static void leave_to_another(void)
{
    pthread_t t;

    if (pthread_create(&t, NULL, last_thread, NULL) == 0)
        pthread_exit(NULL);
}

static void live(void)
{
    const struct itimerval often = {{0, 3000}, {0, 3000}};

    if (!strcmp(way, "reload"))
        for (int i = 0; i < 3; i++) {
            launch("reloaded");
            dlclose(handle);
        }
    else if (!strcmp(way, "threads"))
        for (int i = 0; i < 2; i++)
            run_thread(thread, "thread", 0, 0);
    else if (!strcmp(way, "leader"))
        leave_to_another();
    else if (!strcmp(way, "loading"))
        call_without_loader();
    else if (!strcmp(way, "stack"))
        run_thread(thread, "small stack", 192 << 10, 0);
    else if (!strcmp(way, "cancel")) {
        /* Most likely while it launches: in its compiler the driver would leave a lock behind. */
        launch("before");
        setenv("EMBEDDED_MS", "60000", 1);
        run_thread(endless, NULL, 0, 1500);
        setenv("EMBEDDED_MS", "300", 1);
        launch("after");
    } else if (!strcmp(way, "itimer"))
        for (int i = 0; i < 2; i++) {
            sigaction(SIGALRM, &(struct sigaction){.sa_handler = ignore, .sa_flags = i ? SA_RESTART : 0},
                      NULL);
            setitimer(ITIMER_REAL, &often, NULL);
            launch(i ? "restarting" : "interrupted");
        }
    else
        launch("main");
}

int main(int argc, char **argv)
{
    char *const echo[] = {"echo", "replaced", NULL};

    if (argc != 3)
        return 2;
    library = argv[2];
    if (!strcmp(argv[1], "atexit"))
        atexit(at_exit);
    way = argv[1];
    live();
    if (!strcmp(way, "_exit"))
        _exit(3);
    if (!strcmp(way, "quick_exit"))
        quick_exit(4);
    if (!strcmp(way, "signal"))
        raise(SIGTERM);
    if (!strcmp(way, "abort"))
        abort();
    if (!strcmp(way, "exec"))
        execv("/bin/echo", echo);
    return 0;
}

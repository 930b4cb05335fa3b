/* doctor.c - `clsizer doctor [PROGRAM]`: is all installed, do the options make sense, can things be
 * remembered, which drivers are there, where do programs keep compiled kernels?  Drivers are asked in a child
 * process, since one may crash then. */
#include "shim/command/own_commands.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <libgen.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "shim/command/doctor_say.h"
#include "shim/command/own_files.h"
#include "shim/guest/opencl.h"
#include "shim/guest/options.h"
#include "shim/guest/util.h"
#include "shim/ledger/cache_place.h"
#include "shim/ledger/reasons.h"
#include "shim/ledger/wisdom_file.h"

#define ANSWER_S       30 /* a driver that takes longer to name its devices is stuck */
#define MOST_PLATFORMS 16
#define MOST_DEVICES   32

/* ---- what was installed ------------------------------------------------------------------------------ */

static bool check_file(enum verdict missing, const char *subject, const char *leaf, const char *installed,
                       const char *without, char path[PATH_MAX])
{
    if (own_find(leaf, installed, path) || access(path, R_OK)) {
        doctor_say(missing, subject, "%s was not found: %s", leaf, without);
        return false;
    }
    doctor_say(OK, subject, "%s", path);
    return true;
}

/* Can the helper start?  It needs LLVM's libraries. */
static void check_helper(const char *path)
{
    int status = 1;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
            execl(path, path, "--help", (char *)NULL);
        _exit(1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        doctor_say(FAIL, "helper", "it cannot be started; `%s --help` says why", path);
}

/* The one that an option names, or the installed one. */
static bool find_helper(const char *asked, char path[PATH_MAX])
{
    if (!*asked)
        return check_file(FAIL, "helper", "clsizer-analyze", CLSIZER_LIBEXECDIR, "kernels cannot be analysed",
                          path);
    snprintf(path, PATH_MAX, "%s", asked);
    if (access(path, X_OK)) {
        doctor_say(FAIL, "helper", "%s: %s: kernels cannot be analysed", path, strerror(errno));
        return false;
    }
    doctor_say(OK, "helper", "%s", path);
    return true;
}

static bool check_installation(const struct options *o, char library[PATH_MAX])
{
    char path[PATH_MAX];
    const bool there =
        check_file(FAIL, "library", "libclsizer.so", CLSIZER_LIBDIR, "nothing can be done", library);

    if (find_helper(o->helper, path))
        check_helper(path);
    check_file(NOTE, "helper", "clsizer-ahead", CLSIZER_LIBEXECDIR, "nothing is compiled ahead", path);
    if (!doctor_in_path("python3", path))
        doctor_say(NOTE, "python", "python3 was not found: `clsizer report` needs it, nothing else does");
    return there;
}

/* ---- where things are remembered --------------------------------------------------------------------- */

#define PROGRAMS 64

/* Such files of the directory, as programs, in words: these. */
static const char *count_programs(const char *directory, const char *pattern, const char *kind,
                                  char words[PROGRAMS])
{
    glob_t found;
    const size_t n = own_glob(directory, pattern, &found);

    globfree(&found);
    snprintf(words, PROGRAMS, "%zu %sprogram%s", n, kind, n == 1 ? "" : "s");
    return words;
}

static void check_cache(const struct options *o)
{
    char path[RT_PATH], words[PROGRAMS];
    const char *problem = cache_find(o->cache, path);

    if (problem)
        doctor_say(FAIL, "cache", "%s: %s; without it nothing is tuned", problem, rsn_words(problem));
    else if (strncmp(strrchr(path, '/'), "/clsizer-", 9) == 0)
        doctor_say(NOTE, "cache", "%s: only a temporary one, as nothing can be written to %s", path,
                   *o->cache ? o->cache : "the default place");
    else
        doctor_say(OK, "cache", "%s: %s", path, count_programs(path, "*.sum", "analysed ", words));
}

/* Can the file or directory be written to, or made if it does not exist? */
static bool is_writable(const char *place)
{
    const int wanted = access(place, F_OK) ? W_OK | X_OK : W_OK; /* what it is made in must be a directory */
    char path[PATH_MAX], *at = path;

    snprintf(path, sizeof path, "%s", place);
    while (access(at, F_OK) && strcmp(at, "/") != 0 && strcmp(at, ".") != 0)
        at = dirname(at);
    return access(at, wanted) == 0;
}

static void check_own_wisdom(const struct options *o, bool site)
{
    const char *problem;
    char words[PROGRAMS];
    struct wisdom *w = wis_open(o->wisdom, "none", &problem);
    char *place = strcmp(o->wisdom, "none") == 0 ? NULL : wis_place(o->wisdom);

    if (problem)
        doctor_say(site && !place ? NOTE : FAIL, "wisdom", "%s%s", problem,
                   place ? "" : ": nothing is remembered");
    else if (place && !is_writable(place))
        doctor_say(NOTE, "wisdom", "%s: it cannot be written to: nothing is remembered", place);
    else if (!*o->wisdom && place)
        doctor_say(OK, "wisdom", "%s: decisions about %s", place,
                   count_programs(place, "*.jsonl", "", words));
    else
        doctor_say(OK, "wisdom", "%s", place ? place : "none");
    wis_close(w);
    free(place);
}

/* The first error of a file in the directory that is not read. */
static int find_unread(const char *directory, size_t *n, size_t *unread)
{
    glob_t found;
    int err = 0;

    *n = own_glob(directory, "*.jsonl", &found);
    *unread = 0;
    for (size_t i = 0; i < *n; i++) {
        const int fd = util_open_private(found.gl_pathv[i], O_RDONLY, 0);
        if (fd >= 0)
            close(fd);
        else if (!(*unread)++)
            err = fd;
    }
    globfree(&found);
    return err;
}

static void check_site_wisdom(const char *site)
{
    const char *problem;
    struct wisdom *w = wis_open("none", site, &problem);
    size_t n, unread;
    const int err = problem ? 0 : find_unread(site, &n, &unread);

    if (problem)
        doctor_say(FAIL, "wisdom", "%s", problem);
    else if (err)
        doctor_say(FAIL, "wisdom", "%s: the system's: %zu of %zu files are not read: %s", site, unread, n,
                   wis_words(err));
    else
        doctor_say(OK, "wisdom", "%s: the system's", site);
    wis_close(w);
}

static void check_wisdom(const struct options *o)
{
    const char *site = wis_site(o->system_wisdom);

    check_own_wisdom(o, *site);
    if (*site)
        check_site_wisdom(site);
}

/* What is ignored stands in nobody's way. */
static void note_option(const char *words)
{
    doctor_say(NOTE, "options", "%s", words);
}

static void note_variable(const char *variable)
{
    doctor_say(NOTE, "options", "%s: no variable of clsizer's; `clsizer --options` lists them", variable);
}

/* What the environment says, for programs that are not started by the launcher. */
static void check_options(struct options *o)
{
    const struct opt_row *row;

    opt_from_environment(o, note_option);
    opt_unknown_variables(note_variable);
    if (o->off)
        doctor_say(FAIL, "options", "off is set: every call goes straight through");
    for (unsigned i = 0; (row = opt_row(i)); i++)
        if (getenv(row->env) && *getenv(row->env) && strcmp(row->cli, "off") != 0)
            doctor_say(NOTE, "options", "%s=%s is set", row->env, getenv(row->env));
        else if (opt_configured(i))
            doctor_say(NOTE, "options", "%s = %s is configured", row->cli, opt_configured(i));
}

/* ---- loader and drivers ------------------------------------------------------------------------------ */

/* The loader's functions. */
static struct {
    __typeof__(clGetPlatformIDs) *platforms;
    __typeof__(clGetPlatformInfo) *platform;
    __typeof__(clGetDeviceIDs) *devices;
    __typeof__(clGetDeviceInfo) *device;
} cl;

static int is_library(struct dl_phdr_info *object, size_t size, void *path)
{
    char real[PATH_MAX];

    (void)size;
    return realpath(object->dlpi_name, real) && strcmp(real, path) == 0;
}

static void list_devices(cl_platform_id platform, const char *name, const char *version)
{
    cl_device_id devices[MOST_DEVICES];
    cl_uint n = 0;

    if (cl.devices(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &n) || !n)
        doctor_say(NOTE, "driver", "%s, %s: no device", name, version);
    for (cl_uint i = 0; i < n && i < MOST_DEVICES; i++) {
        char device[256] = "?", driver[128] = "?";
        cl.device(devices[i], CL_DEVICE_NAME, sizeof device, device, NULL);
        cl.device(devices[i], CL_DRIVER_VERSION, sizeof driver, driver, NULL);
        doctor_say(OK, "driver", "%s, %s: %s, driver %s", name, version, device, driver);
        fflush(stdout);
    }
}

/* In the child. */
static void list_drivers(void)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint n = 0;

    if (cl.platforms(MOST_PLATFORMS, platforms, &n) || !n)
        doctor_say(FAIL, "driver", "none was found: the loader looks for them in /etc/OpenCL/vendors%s",
                   getenv("OCL_ICD_VENDORS") ? " or, as here, where OCL_ICD_VENDORS says" : "");
    for (cl_uint i = 0; i < n && i < MOST_PLATFORMS; i++) {
        char name[256] = "?", version[256] = "?";
        cl.platform(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        cl.platform(platforms[i], CL_PLATFORM_VERSION, sizeof version, version, NULL);
        list_devices(platforms[i], name, version);
    }
}

/* In the child: open the loader with the library as a layer that is switched off. */
static bool open_loader(char *library)
{
    void *loader;
    Dl_info where;

    setenv("OPENCL_LAYERS", library, 1);
    setenv("CLSIZER_OFF", "1", 1);
    loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!loader) {
        doctor_say(FAIL, "loader", "%s", dlerror());
        return false;
    }
    *(void **)&cl.platforms = dlsym(loader, "clGetPlatformIDs");
    *(void **)&cl.platform = dlsym(loader, "clGetPlatformInfo");
    *(void **)&cl.devices = dlsym(loader, "clGetDeviceIDs");
    *(void **)&cl.device = dlsym(loader, "clGetDeviceInfo");
    if (!cl.platforms || !cl.platform || !cl.devices || !cl.device ||
        !dladdr(*(void **)&cl.platforms, &where)) {
        doctor_say(FAIL, "loader", "libOpenCL.so.1 lacks functions");
        return false;
    }
    cl.platforms(0, NULL, &(cl_uint){0});
    if (dl_iterate_phdr(is_library, library))
        doctor_say(OK, "loader", "%s takes layers: also OPENCL_LAYERS=%s", where.dli_fname, library);
    else
        doctor_say(NOTE, "loader", "%s takes no layers: programs need the launcher or LD_PRELOAD",
                   where.dli_fname);
    fflush(stdout);
    return true;
}

static void check_drivers(char *library)
{
    int status = 0;
    pid_t child;

    if (getenv("OPENCL_LAYERS"))
        doctor_say(NOTE, "loader", "OPENCL_LAYERS=%s is set", getenv("OPENCL_LAYERS"));
    fflush(stdout);
    child = fork();
    if (child == 0) {
        doctor_failed = false;
        alarm(ANSWER_S);
        if (open_loader(library))
            list_drivers();
        fflush(stdout);
        _exit(doctor_failed);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        doctor_say(FAIL, "driver", "%s", strerror(errno));
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        doctor_say(FAIL, "driver", "one takes more than %d s to name its devices", ANSWER_S);
    else if (WIFSIGNALED(status))
        doctor_say(FAIL, "driver", "one ended with signal %d when it was asked for its devices",
                   WTERMSIG(status));
    else
        doctor_failed |= WEXITSTATUS(status) != 0;
}

/* ---- stores of compiled kernels ---------------------------------------------------------------------- */

/* Where programs keep kernels as binaries, whose source clsizer does not see then (`from-binary`). */
static const struct {
    const char *who, *under, *pattern, *remedy;
} stores[] = {
    {"PyOpenCL", ".cache", "pyopencl", "PYOPENCL_NO_CACHE=1"},
    {"OpenCV", ".cache", "opencv/*/opencl_cache", "OPENCV_OPENCL_CACHE_ENABLE=0"},
    {"darktable", ".cache", "darktable/cached_*kernels_for_*", NULL},
    {"ImageMagick", ".cache", "ImageMagick", NULL},
    {"ArrayFire", "", ".arrayfire", NULL},
};

static void check_stores(void)
{
    const char *home = getenv("HOME"), *cache = getenv("XDG_CACHE_HOME");
    char path[PATH_MAX];

    for (unsigned i = 0; i < sizeof stores / sizeof *stores; i++) {
        glob_t found;
        if (*stores[i].under && cache && *cache == '/')
            snprintf(path, sizeof path, "%s", cache);
        else
            snprintf(path, sizeof path, "%s/%s", home ? home : "", stores[i].under);
        const size_t n = own_glob(path, stores[i].pattern, &found);
        for (size_t k = 0; k < n; k++)
            doctor_say(NOTE, "store",
                       "%s: %s keeps compiled kernels there, whose source is not seen; remove it once%s%s",
                       found.gl_pathv[k], stores[i].who, stores[i].remedy ? ", or set " : "",
                       stores[i].remedy ? stores[i].remedy : "");
        globfree(&found);
    }
}

/* ---- the command ------------------------------------------------------------------------------------- */

int doctor_main(int argc, char **argv)
{
    char library[PATH_MAX];
    struct options o;

    if (argc && argv[0][0] == '-') {
        const bool help = strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0;
        fputs("usage: clsizer doctor [PROGRAM [ARGUMENT...]]\n"
              "Tell whether clsizer works here, and with this program, which is not run.\n"
              "Exit status: 1 if something stands in the way.\n",
              help ? stdout : stderr);
        return help ? 0 : 2;
    }
    printf("clsizer " CLSIZER_VERSION "\n");
    check_options(&o);
    const bool there = check_installation(&o, library);
    check_cache(&o);
    check_wisdom(&o);
    if (there)
        check_drivers(library);
    if (argc)
        doctor_program(argv[0]);
    check_stores();
    puts(doctor_failed ? "Something stands in the way: see FAIL." : "Nothing stands in the way.");
    return doctor_failed ? 1 : 0;
}

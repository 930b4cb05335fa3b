/* doctor_program.c - whether the library can be put in front of a program, and what would stop that. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "shim/command/doctor_say.h"

#define MOST_RUNNERS 4 /* what Linux allows */

struct image {
    const unsigned char *bytes;
    size_t size;
};

static bool map_file(const char *path, struct image *out)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    void *at = MAP_FAILED;

    if (fd >= 0 && fstat(fd, &st) == 0) {
        at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (at == MAP_FAILED) /* what that says of an empty file or a directory is about something else */
            errno = S_ISDIR(st.st_mode) ? EISDIR : ENOEXEC;
    }
    if (fd >= 0)
        close(fd);
    *out = (struct image){at == MAP_FAILED ? NULL : at, at == MAP_FAILED ? 0 : (size_t)st.st_size};
    return out->bytes;
}

static bool is_elf(const struct image *f)
{
    return f->size >= sizeof(ElfW(Ehdr)) && memcmp(f->bytes, ELFMAG, SELFMAG) == 0;
}

/* The dynamic linker that the program asks for; "" if it asks for none: it is static. */
static void interpreter_of(const struct image *f, char out[PATH_MAX])
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;

    out[0] = '\0';
    memcpy(&head, f->bytes, sizeof head);
    for (unsigned i = 0; i < head.e_phnum; i++) {
        const size_t at = head.e_phoff + (size_t)i * sizeof part;
        if (head.e_phoff > f->size || at + sizeof part > f->size)
            return;
        memcpy(&part, f->bytes + at, sizeof part);
        if (part.p_type == PT_INTERP && part.p_offset < f->size && part.p_filesz < f->size - part.p_offset)
            snprintf(out, PATH_MAX, "%.*s", (int)part.p_filesz, (const char *)f->bytes + part.p_offset);
    }
}

/* Who runs the script, by its first line: "/usr/bin/env python3" is the python3 in PATH. */
static bool interpreter_of_script(const struct image *f, char out[PATH_MAX])
{
    char line[256], *word, *save;

    if (f->size < 3 || memcmp(f->bytes, "#!", 2) != 0)
        return false;
    snprintf(line, sizeof line, "%.*s", (int)(f->size - 2 < sizeof line - 1 ? f->size - 2 : sizeof line - 1),
             (const char *)f->bytes + 2);
    line[strcspn(line, "\n")] = '\0';
    word = strtok_r(line, " \t", &save);
    if (!word)
        return false;
    if (strcmp(strrchr(word, '/') ? strrchr(word, '/') + 1 : word, "env") != 0) {
        snprintf(out, PATH_MAX, "%s", word);
        return true;
    }
    do
        word = strtok_r(NULL, " \t", &save);
    while (word && (*word == '-' || strchr(word, '=')));
    return word && doctor_in_path(word, out);
}

/* Has it more rights than its caller?  Then the linker ignores LD_PRELOAD. */
static void check_rights(const char *path)
{
    struct stat st;

    if (stat(path, &st) == 0 && (((st.st_mode & S_ISUID) && st.st_uid != geteuid()) ||
                                 ((st.st_mode & S_ISGID) && st.st_gid != getegid())))
        doctor_say(FAIL, "program", "%s is setuid or setgid: such programs take no library from their caller",
                   path);
    else if (getxattr(path, "security.capability", NULL, 0) > 0 && geteuid() != 0)
        doctor_say(FAIL, "program",
                   "%s has file capabilities: such programs take no library from their caller", path);
}

static void check_binary(const char *path, const struct image *f)
{
    char linker[PATH_MAX];

    if (f->bytes[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)) {
        doctor_say(FAIL, "program", "%s is of another architecture than libclsizer.so", path);
        return;
    }
    interpreter_of(f, linker);
    check_rights(path);
    if (!*linker)
        doctor_say(FAIL, "program", "%s is linked statically: no library can be put in front", path);
    else if (strstr(linker, "ld-musl"))
        doctor_say(FAIL, "program", "%s uses musl, which cannot load libraries made for glibc", path);
    else if (doctor_only_warns)
        return; /* the rest reads the whole file */
    else if (memmem(f->bytes, f->size, "libOpenCL.so", 12))
        doctor_say(OK, "program", "%s uses libOpenCL.so itself", path);
    else
        doctor_say(NOTE, "program",
                   "%s does not name libOpenCL.so: one of its libraries or modules must use it", path);
}

/* Programs that have others run elsewhere, where our library does not come along. */
static void check_wrapper(const char *path)
{
    static const char *const wrappers[] = {"docker",  "podman", "apptainer", "singularity",
                                           "flatpak", "snap",   "sudo",      "ssh"};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

    for (unsigned i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (strcmp(name, wrappers[i]) == 0)
            doctor_say(FAIL, "program", "%s has programs run elsewhere: clsizer must be started there", name);
}

/* `runners`: how many may run one another, as scripts. */
static void check_program(const char *name, unsigned runners)
{
    char path[PATH_MAX], runner[PATH_MAX];
    struct image f;

    if (strchr(name, '/') ? !realpath(name, path) : !doctor_in_path(name, path)) {
        doctor_say(FAIL, "program", "%s was not found", name);
        return;
    }
    check_wrapper(path);
    if (!map_file(path, &f))
        doctor_say(FAIL, "program", "%s cannot be read: %s", path, strerror(errno));
    else if (is_elf(&f))
        check_binary(path, &f);
    else if (runners && interpreter_of_script(&f, runner)) {
        doctor_say(OK, "program", "%s is a script for %s", path, runner);
        check_program(runner, runners - 1);
    } else
        doctor_say(FAIL, "program", "%s is neither a program nor a script", path);
    if (f.bytes)
        munmap((void *)(uintptr_t)f.bytes, f.size);
}

void doctor_program(const char *name)
{
    check_program(name, MOST_RUNNERS);
}

/* wisdom_file.h - where the records of a wisdom file are.
 *
 * The file is scanned once, when something is first looked up, for line ends and the programs that lines are
 * about: 16 bytes per line are kept.  Lines of programs that are asked for are read once more, for a hash of
 * their key; the one that is wanted is read, verified and parsed.  All reading is by pread(), so a file that
 * shrinks or is replaced meanwhile does no harm: whoever reads verifies.  Nothing stays open between calls.
 *
 * Only the last WIS_WINDOW bytes of a file count.  A file is tidied when it grows beyond WIS_STEP, and
 * again at twice that, and so on: superseded and damaged lines are dropped if they are more than half of it,
 * the oldest if it is longer than WIS_WINDOW. */
#ifndef CLSIZER_SHIM_WISDOM_FILE_H
#define CLSIZER_SHIM_WISDOM_FILE_H

#include <sys/stat.h>
#include "shim/wisdom_text.h"

#define WIS_WINDOW ((off_t)128 << 20)
#define WIS_STEP   ((off_t)16 << 20)
#define WIS_LINE   (1 << 16) /* longer lines are not ours */

/* A line whose first bytes are a record's. */
struct wis_line_at {
    uint64_t at; /* offset in the file */
    uint32_t size;
    uint32_t program; /* folded */
};

/* A line of a program that was asked for. */
struct wis_known {
    struct wis_identity id;
    uint64_t at;
    uint32_t size; /* 0: was read and found damaged */
};

struct wis_file {
    char *path;  /* owned; NULL: no file */
    uid_t owner; /* besides the user */
    int fd;      /* between wis_file_begin() and wis_file_end(), else -1 */
    dev_t device;
    ino_t inode;
    off_t end;     /* up to which lines were seen */
    bool skipping; /* `end` is inside a line that is left out */
    struct wis_line_at *lines;
    size_t nlines, room;
    struct wis_known *known; /* in the order of the file, for each program */
    size_t nknown, known_room;
    struct wis_asked {
        uint64_t program;
        size_t upto; /* lines seen */
    } * asked;
    size_t nasked;
    unsigned skipped; /* lines that were looked at and are not sound records */
};

/* Open, see what is new, and make the lines of `program` known.  False if the file cannot be used now.  Ends
 * with wis_file_end() in any case. */
bool wis_file_begin(struct wis_file *f, uint64_t program);
void wis_file_end(struct wis_file *f);

/* The verified text of a known line, into a buffer of WIS_LINE + 1 bytes; false (and counted) if damaged. */
bool wis_file_read(struct wis_file *f, struct wis_known *k, char *buffer);

void wis_file_free(struct wis_file *f); /* what it holds, not *f itself */

/* Whole lines of the open file from *at to `size`, newest last; *at and *skipping go on.  Stops early, and
 * returns false, where `each` does or memory is out. */
bool wis_scan(int fd, off_t *at, bool *skipping, off_t size,
              bool (*each)(void *context, const char *line, size_t size, off_t at), void *context);

/* Drop what is superseded.  Others may read and append meanwhile: writers find the new file in place of the
 * old one once they have the lock (util_append_line()).  0, also when there is nothing to do or somebody else
 * is at it, or negative errno: the file is as it was. */
int wis_tidy_file(const char *path);

#endif

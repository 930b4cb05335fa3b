/* wisdom_file.h - an index of a wisdom file, and keeping such files short.
 *
 * When something is first looked up, the file is scanned for line ends and for the program that each line is
 * about, of which 16 bytes per line are kept.  The lines of a program that is asked for are then read for a
 * hash of their key, and a line that is wanted is read, verified and parsed.  So a look-up costs little even
 * if the file is about thousands of programs.
 *
 * Other processes append to the file, or replace it, at any time.  It is read by pread() and what was read is
 * verified, so a file that shrinks or changes meanwhile does no harm.  Nothing stays open between calls.
 *
 * Only the last WIS_WINDOW bytes of a file count.  A file is tidied when it grows beyond WIS_STEP, and again
 * at twice that, and so on.  Superseded and damaged lines are then dropped if they are more than half of it;
 * if it is longer than WIS_WINDOW, so are the oldest ones.
 *
 * A struct wis_file belongs to one thread at a time (struct wisdom has the lock). */
#ifndef CLSIZER_SHIM_WISDOM_FILE_H
#define CLSIZER_SHIM_WISDOM_FILE_H

#include <sys/stat.h>
#include "shim/ledger/wisdom_text.h"

#define WIS_WINDOW ((off_t)128 << 20)
#define WIS_STEP   ((off_t)16 << 20)
#define WIS_LINE   (1 << 16) /* bytes; a longer line is not a record */

/* A line that begins like a record. */
struct wis_line_at {
    uint64_t at;      /* offset in the file */
    uint32_t size;    /* bytes, without the newline */
    uint32_t program; /* wis_program(), folded to 32 bits */
};

/* A line of a program that was asked for. */
struct wis_known {
    struct wis_identity id;
    uint64_t at;
    uint32_t size; /* 0: it was read and found damaged */
};

struct wis_file {
    char *path;  /* owned; NULL: no file */
    uid_t owner; /* who may own the file besides the user */
    int fd;      /* between wis_file_begin() and wis_file_end(), else -1 */
    dev_t device;
    ino_t inode;               /* with device: which file the rest is about */
    off_t end;                 /* how far the file was scanned */
    bool skipping;             /* `end` is inside a line that is to be ignored */
    struct wis_line_at *lines; /* owned, in the order of the file */
    size_t nlines, room;
    struct wis_known *known; /* owned; the lines of each program are in the order of the file */
    size_t nknown, known_room;
    struct wis_asked {
        uint64_t program;
        size_t upto; /* how many of `lines` were searched for it */
    } * asked;       /* owned */
    size_t nasked;
    unsigned skipped; /* lines that were looked at and are not sound records */
};

/* Open the file, scan what is new in it, and add the lines of `program` to f->known.  False if the file
 * cannot be used now.  Whatever the result, call wis_file_end() afterwards. */
bool wis_file_begin(struct wis_file *f, uint64_t program);
void wis_file_end(struct wis_file *f);

/* Read a known line into a buffer of WIS_LINE + 1 bytes, with a NUL behind it, and verify it.  False if it is
 * damaged; it is then counted in f->skipped. */
bool wis_file_read(struct wis_file *f, struct wis_known *k, char *buffer);

void wis_file_free(struct wis_file *f); /* what it holds, not *f itself */

/* Call `each` for every whole line of the open file from *at up to `size`, in the order of the file; `line`
 * is not terminated.  *at and *skipping then say where to go on when the file has grown.  False, and stops
 * early, if `each` returns false or when out of memory. */
bool wis_scan(int fd, off_t *at, bool *skipping, off_t size,
              bool (*each)(void *context, const char *line, size_t size, off_t at), void *context);

/* Drop superseded lines by putting a new file in the old one's place.  Others may read and append meanwhile:
 * a writer that gets the old file's lock notices and opens the new one (util_append_line()).  0, also if
 * there is little to drop or another process is doing it; or negative errno, and the file is as it was. */
int wis_tidy_file(const char *path);

#endif

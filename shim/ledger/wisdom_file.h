/* wisdom_file.h - a file of wisdom: which lines it has, reading, merging, writing (the form is described in
 * wisdom_file.c).  Files of points have the same form, but for the head and the lines (points.h).
 *
 * For wisdom.c, and for the command `clsizer wisdom`, which works on files as they are.  Files are not locked
 * by the functions here, but for wis_lock(): one thread at a time may use a struct wis_file. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include "shim/ledger/wisdom_text.h"

#define WIS_HEAD  "{\"clsizer-wisdom\":" /* a file begins with it, and its version */
#define WIS_FRESH ".clsizer-new"         /* behind its name, while a new one is written */

struct wis_entry {
    char *text;           /* owned; its line */
    struct wis_extent at; /* of its key; all 0: the line is damaged */
    unsigned line;        /* where it is in the file, from 1; 0: it was not read */
    bool unsaved;         /* this process's, and not in the file yet */
    uint64_t replaces;    /* unsaved: hash of the line that it is to replace; 0: none */
};

/* What is known of a file.  All 0 but for the path and the form: nothing was read yet. */
struct wis_file {
    struct wis_file *next;
    char *path;               /* owned; "": none */
    const char *form;         /* NULL: wisdom; else what stands for WIS_HEAD in a file of points (points.h) */
    char *head;               /* owned; with a form: the first line, as it was read or is to be written */
    struct wis_entry **entry; /* owned, as what it holds; the oldest first */
    size_t n;
    struct stat seen; /* the file when it was read or written; all 0: there was none */
    int err;          /* why it is not used, negative errno; then it is not written */
    unsigned line;    /* the line that `err` is about, from 1; 0: none */
    unsigned stored;  /* records since it was written */
};

/* Why a file is not used, in words that follow its name.  A static string. */
const char *wis_words(int err);
/* "NAME:LINE: why it is not used", without a line that is 0; malloc'ed, NULL when out of memory. */
char *wis_problem(const char *name, unsigned line, int err);

/* The three texts as one; malloc'ed, NULL when out of memory. */
char *wis_joined(const char *a, const char *b, const char *c);

/* Where wisdom is: `name`, absolute; "": the default place, whose directories are made.  A directory's ends
 * with a slash.  malloc'ed; NULL if there is no default place, or when out of memory. */
char *wis_place(const char *name);
/* Where the system's wisdom is, for the option's value: a borrowed or static string, "" for none. */
const char *wis_site(const char *option);
bool wis_is_directory(const char *place);

/* The file of a place for a program's records, added to the list if it is not there; nothing is read.  NULL
 * when out of memory. */
struct wis_file *wis_file_for(struct wis_file **list, const char *place, const char *program);

/* A record of a line, which it takes over; NULL when out of memory. */
struct wis_entry *wis_entry_new(char *text);
void wis_entry_free(struct wis_entry *e); /* NULL is allowed */

/* The newest record of the file with the key of `e`, as an index; -1: none. */
ssize_t wis_find(const struct wis_file *f, const struct wis_entry *e);

/* Add a record, which is taken over, in place of those with its key.  0 or -ENOMEM. */
int wis_put(struct wis_file *f, struct wis_entry *e);

/* Remove the record of this index. */
void wis_drop(struct wis_file *f, size_t i);

/* Remove the oldest records beyond WIS_MOST, except those about whole kernels. */
void wis_forget_oldest(struct wis_file *f);

/* Read the lines of an open file.  0 or negative errno, of which -EBADMSG (no wisdom) and -EPROTO (a newer
 * version's) are about a line, f->line; then there are none. */
int wis_read(struct wis_file *f, FILE *from);

/* The same of the file at f->path, whoever's it is; "-": stdin.  Sets f->err. */
void wis_read_as_it_is(struct wis_file *f);

/* Read the file at f->path, if it changed since it was seen and belongs to the user or `owner`; what is not
 * saved stays on top.  Sets f->err; a file that does not exist is empty. */
void wis_refresh(struct wis_file *f, uid_t owner);

/* Take the lock of a place, for wis_refresh() and wis_replace() without another writer in between.  A
 * descriptor for wis_unlock(); or negative errno. */
int wis_lock(const char *place, uid_t owner);
void wis_unlock(int lock);

/* Put a new file in the place of f->path.  0 or negative errno: then the old one is as it was. */
int wis_replace(struct wis_file *f);

/* Release a list of files and what they hold; NULL is allowed. */
void wis_file_free(struct wis_file *list);

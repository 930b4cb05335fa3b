/* vary_search.h - the search for a site's variants: which are made, tried by another process, built,
 * verified. */
#pragma once

#include "shim/site/variant.h"
#include "shim/tune/verify.h"

/* The search for a site's variants. */
struct vary {
    unsigned launches;     /* whose arguments were looked at */
    uint64_t steady;       /* bit i: argument i was the same in all of them; 63: so were all from there on */
    uint64_t argument[64]; /* their hashes */
    unsigned given;        /* so many of the user's were looked at, which come first */
    bool is_given;         /* one of them is looked at now */
    unsigned maker;        /* then, whose turn it is */
    bool met;              /* the one that is wanted was made */
    bool waits;            /* for another process, which tries it */
    unsigned late;         /* launches that could have been verified, but for their arguments or the queue */
    struct variant *offered; /* of that one, to be built and verified; NULL: none yet */
    double borrowed; /* the time of `offered` at another shape, where it was verified, if that is not paid for
                        here; 0: it is to be verified */
    double promised; /* the time of the best one that competes, relative to the program's kernel; 0: none */
};

/* A variant that is found, with a size that it takes, and how it was verified. */
struct vary_found {
    struct variant *variant;
    size_t local[3];
    struct verification v;
    double borrowed; /* struct vary */
};

/* The search is over: nothing more is made for the site. */
void vary_end_search(struct shim_site *s);

/* Nothing came of it: not in later runs either, unless it is the user's. */
void vary_give_back(struct shim_site *s, struct variant *v);

/* Nothing comes of a variant.  Of one of the user's they are told without having asked. */
void vary_report_refused(const struct launching *l, const char *reason, const char *detail);

/* Nothing comes of a variant that writes something else, `detail`, either now or in a later run: what earlier
 * runs knew of it does not count any more. */
void vary_refuse_different(const struct launching *l, const struct variant *v, const char *detail);

/* Variants that may compete have not all been looked at, and the race can take one, if this launch can have
 * another kernel. */
bool vary_is_looking(const struct launching *l);

/* Does a variant that is found compete?  Else it is used at once, with the best of its sizes.  With the first
 * one that competes samples become whole launches, for good. */
bool vary_joins(const struct launching *l);

/* Come one step closer to a verified variant with this size; `required`: it may require the size.  False:
 * there is none yet, or, once s->vary is NULL, no other.  out->v says whether the launch was made. */
bool vary_search(const struct launching *l, const size_t local[3], bool required, struct vary_found *out);

/* options.h - configuration of the library and the launcher, from one table (options.def).
 *
 * The library reads the CLSIZER_* variables once, at its first OpenCL call; the launcher turns its command
 * line into the same variables. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "profiler/profiler.h"

/* Does a launch wait for its samples? */
enum opt_orchestration { OPT_AUTO, OPT_SYNC, OPT_ASYNC };

/* Is nothing measured?  Does that count as a failure where something would have been? */
enum opt_use_only { OPT_USE_AND_MEASURE, OPT_USE_ONLY, OPT_USE_ONLY_STRICT };

/* May kernels be rewritten? */
enum opt_variants { OPT_SIZES, OPT_VARIANTS_AUTO, OPT_FIXED, OPT_WIDE };

/* Kinds of options: X(KIND, type of the member, what a value may be in words).  INT: by the row.  Where it is
 * one of several words, their numbers follow from it. */
#define OPT_KINDS(X)                                                                                         \
    X(FLAG, bool, "0 or 1")                                                                                  \
    X(USE_ONLY, enum opt_use_only, "0, 1 or strict")                                                         \
    X(INT, int, "")                                                                                          \
    X(PERCENT, double, "a percentage, 0 to 100") /* stored as a fraction */                                  \
    X(PATH, const char *, "a path")                                                                          \
    X(TEXT, const char *, "any text")                                                                        \
    X(SIZES, const char *,                                                                                   \
      "KERNEL=64x4, KERNEL=null or KERNEL=VARIANT:64x4, several with commas between; variants: wide, "       \
      "fixed, 'given NAME'")                                                                                 \
    X(VARIANTS, enum opt_variants, "sizes, auto, fixed or wide")                                             \
    X(EFFORT, enum prof_effort, "estimate, measure, patient or exhaustive")                                  \
    X(MODE, enum prof_mode, "auto, slices, rerun, launches, sandbox or swap") /* PROF_NONE: auto */          \
    X(ORCHESTRATION, enum opt_orchestration, "auto, sync or async")                                          \
    X(ESTIMATOR, enum sel_estimator, "auto, bounds, mwp or param")

#define OPT_TYPE(kind, type, words) typedef type opt_type_##kind;
OPT_KINDS(OPT_TYPE)
#undef OPT_TYPE

struct options {
#define OPT(field, kind, env, cli, arg, def, doc) opt_type_##kind field;
#include "shim/guest/options.def"
#undef OPT
};

/* May this run measure anything?  Not with --use-only, and not with a budget of 0: then only what is
 * remembered or asked for is used, and what is measured already stands. */
static inline bool opt_measures(const struct options *o)
{
    return !o->use_only && !(o->effort == PROF_MEASURE && o->budget <= 0);
}

/* Is what wisdom knows of this kernel to be decided again?  (--retune) */
bool opt_retunes(const struct options *o, const char *kernel);

/* What is wrong with a setting, in words without a newline. */
typedef void opt_warn(const char *words);

/* Fill with defaults, then from the machine's configuration file, the user's (config.h), and the environment
 * (secure_getenv: a setuid program sees defaults with off = true).  A bad value counts as not given, and is
 * told of.  Strings are copies that live as long as the process; paths default to "" = not given.  Never
 * fails. */
void opt_from_environment(struct options *o, opt_warn *warn);

/* What the configuration files say of the option of this row, opt_row(); NULL: nothing.  After
 * opt_from_environment(). */
const char *opt_configured(unsigned i);

/* Will `off` be true then? */
bool opt_says_off(void);

/* Call tell(variable) for every CLSIZER_ variable of the environment that clsizer does not know. */
void opt_unknown_variables(void (*tell)(const char *variable));

/* Check and normalise one value: 0, or -EINVAL with *expected describing what is accepted. */
int opt_check(const char *cli_name, const char *value, const char **expected);

/* The table, for the launcher. */
struct opt_row {
    const char *env; /* "CLSIZER_EFFORT" */
    const char *cli; /* "effort" */
    const char *arg; /* "LEVEL"; "" for flags; "[=GLOB]": only with "=", opt_alone() without */
    const char *def;
    const char *doc;
    bool path; /* the value names a file or directory */
};
const struct opt_row *opt_row(unsigned i); /* NULL past the end */
/* Which row is the option whose name is these bytes; past the end if there is none. */
unsigned opt_find(const char *name, size_t size);
/* The value of an option that is given without one, a static string; NULL: it needs one. */
const char *opt_alone(const struct opt_row *row);
void opt_print_help(FILE *f);  /* options as --help shows them */
void opt_print_table(FILE *f); /* `--options`: name, variable, default, documentation */

#define OPT_VARIANT 64       /* bytes of a variant's name */
#define OPT_GIVEN   "given " /* before the name of one that the user or the program offers */

/* The local size that a value of --sizes ("GLOB=SIZE,...") has for the kernel `name`, from the first glob
 * that matches: extents not given are 1, and all are 0 for "null"; "VARIANT:SIZE" names a variant, else
 * `variant` is empty.  1, 0 when no glob matches, -EINVAL when the text up to there is not of that form. */
int opt_size(const char *sizes, const char *name, char variant[OPT_VARIANT], size_t local[3]);

/* Which globs of such a list, or of one for opt_glob_list(), match `name`: bit i stands for the one before
 * the comma number i, of the first 64. */
uint64_t opt_globs_met(const char *globs, const char *name);

/* Does `name` match the comma-separated globs (fnmatch; a leading ! excludes)? */
bool opt_glob_list(const char *globs, const char *name);

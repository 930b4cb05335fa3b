/* wisdom_text.c - a record as a line of text.
 *
 * The order of members is fixed, and there are no spaces:
 *
 *   {"v":1,"key":{"program":"..","kernel":"..","dim":2,"zero_offset":true,"own":[8,8,1],"local_args":"0f..",
 *   "device":"name|vendor","driver":"version","global":[1024,1024,1]},"model":1,"outcome":"won","mode":"slices",
 *   "local":[64,1,1],"gain":1.5,"noise":0.01,"item_ns":0.8,"observed_ns":1,"spent_ns":1,
 *   "saved_ns":1,"compile_ns":-1,"granted_ns":1,"race":[[64,1,1,3,0.5,0.7,0],[8,1,1,2,0.2,0.2,0,"wide","0f.."]],
 *   "executable":"/usr/bin/app","date":"2026-01-31T12:00:00Z","check":"0123456789abcdef"}
 *
 * Equal keys are printed as equal text, so they are compared as text.  `local_args` is hexadecimal; `driver`
 * is what follows the last | of wis_key.device; `executable` and `date` say who wrote it and
 * when, for readers.  `check` is
 * FNV-1a (64 bits, hash.h) of all that stands before `,"check"`.
 *
 * "variant_ns" and "build_ns" are what compiling and building variants cost, where that is known.
 *
 * Where variants were tried, "variant":{} is added, with "name", "local", "gain" and a hash of the "text" of
 * the one that won.  "offers" is a hash of those that the user or the program offered.  "tried" is a number
 * whose bits are the variants that nothing came of so far.
 *
 * A race that is not finished adds
 *
 *   race    its candidates: local size, samples, best and worst relative to the own size, and 0 racing, 1
 *           dropped, 2 failed; of a variant also its name and the hash of its text
 *   doubts  how many races in a row ended in doubt, if any; with "no-gain", before that was believed
 *   runs    how many runs in a row measured candidates and did not decide, if any
 *   few     {"launches":2,"own":[..],"duel":[64,1,1,1,1,0.8,0.7]}, where a run has few launches (struct
 *           prof_past): how many, the own size's samples, and the size that is confirming its lead with the
 *           samples and the best of the own size and of that one; times in ns per work-item */
#include "shim/ledger/wisdom_text.h"
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/hash.h"
#include "shim/guest/util.h"
#include "shim/ledger/json.h"

#define MOST_SIZE   1e15               /* of a work-group */
#define MAX_TIME    ((int64_t)1 << 53) /* ns: 104 days */
#define GLOBAL_MARK ",\"global\":["
#define CHECK_MARK  ",\"check\":\""
#define CHECK_SIZE  (sizeof CHECK_MARK - 1 + 16 + sizeof "\"}" - 1)

/* The numbers of a record: those that are at least 0, and times. */
static const struct member {
    const char *name;
    size_t at;
} rates[] = {{"gain", offsetof(struct wis_record, gain)},
             {"noise", offsetof(struct wis_record, noise)},
             {"item_ns", offsetof(struct wis_record, item_ns)}},
  times[] = {{"observed_ns", offsetof(struct wis_record, account.observed_ns)},
             {"spent_ns", offsetof(struct wis_record, account.spent_ns)},
             {"saved_ns", offsetof(struct wis_record, account.saved_ns)},
             {"compile_ns", offsetof(struct wis_record, account.compile_ns)},
             {"granted_ns", offsetof(struct wis_record, account.granted_ns)},
             {"variant_ns", offsetof(struct wis_record, account.variant_ns)},
             {"build_ns", offsetof(struct wis_record, account.build_ns)}};
#define RATES       (sizeof rates / sizeof *rates)
#define TIMES       (sizeof times / sizeof *times)
#define KNOWN_TIMES 5 /* the others, what variants cost, are not written if they are 0 */

/* ---- records as text ------------------------------------------------------------------------------ */

/* Seven digits are enough for what is compared against noise; not-a-number becomes 0. */
static struct json_object *number(double x)
{
    return js_number(isfinite(x) ? x : 0, 7);
}

static struct json_object *array(const double *v, unsigned n)
{
    struct json_object *a = json_object_new_array();

    for (unsigned i = 0; a && i < n; i++)
        json_object_array_add(a, number(v[i]));
    return a;
}

static struct json_object *hash_object(uint64_t hash)
{
    char digits[17];

    snprintf(digits, sizeof digits, "%016" PRIx64, hash);
    return json_object_new_string(digits);
}

static struct json_object *key_object(const struct wis_key *k)
{
    struct json_object *o = json_object_new_object();
    const char *driver = strrchr(k->device, '|');
    size_t device = driver ? (size_t)(driver - k->device) : strlen(k->device);

    if (!o)
        return NULL;
    driver = driver ? driver + 1 : "";
    js_add(o, "program", json_object_new_string(k->program));
    js_add(o, "kernel", json_object_new_string(k->kernel));
    js_add(o, "dim", json_object_new_int((int)k->shape.dim));
    js_add(o, "zero_offset", json_object_new_boolean(k->shape.zero_offset));
    js_add(o, "own", js_triple(k->shape.own));
    js_add(o, "local_args", hash_object(k->shape.local_args));
    js_add(o, "device", json_object_new_string_len(k->device, (int)device));
    js_add(o, "driver", json_object_new_string(driver));
    js_add(o, "global", js_triple(k->shape.global));
    return o;
}

/* How a candidate's state is written.  One that has samples was used, too. */
enum { RACING, DROPPED, FAILED, USED };

static struct json_object *evidence_object(const struct prof_past *p)
{
    struct json_object *all = json_object_new_array();

    for (unsigned i = 0; all && i < p->n; i++) {
        const struct prof_evidence *e = &p->candidate[i];
        const double v[] = {(double)e->local[0],
                            (double)e->local[1],
                            (double)e->local[2],
                            e->samples,
                            e->best,
                            e->worst,
                            e->failed    ? FAILED
                            : e->dropped ? DROPPED
                            : e->used    ? USED
                                         : RACING};
        json_object_array_add(all, array(v, 7));
        if (*e->variant) {
            struct json_object *a = json_object_array_get_idx(all, i);
            json_object_array_add(a, json_object_new_string(e->variant));
            json_object_array_add(a, hash_object(e->text));
        }
    }
    return all;
}

static struct json_object *few_object(const struct prof_past *p)
{
    struct json_object *o = json_object_new_object();
    const double duel[] = {(double)p->duel[0], (double)p->duel[1], (double)p->duel[2], p->duel_samples[0],
                           p->duel_samples[1], p->duel_best[0],    p->duel_best[1]};

    js_add(o, "launches", json_object_new_int((int)p->launches));
    js_add(o, "own", array(p->own, p->nown));
    if (p->duel[0])
        js_add(o, "duel", array(duel, 7));
    return o;
}

static struct json_object *variant_object(const struct wis_record *r)
{
    struct json_object *o = json_object_new_object();

    if (!*r->variant)
        return o;
    js_add(o, "name", json_object_new_string(r->variant));
    js_add(o, "local", js_triple(r->variant_local));
    js_add(o, "gain", number(r->variant_gain));
    js_add(o, "text", hash_object(r->variant_text));
    return o;
}

static struct json_object *record_object(const struct wis_key *k, const struct wis_record *r)
{
    struct json_object *o = json_object_new_object();
    char date[24];

    if (!o)
        return NULL;
    util_date(date);
    js_add(o, "v", json_object_new_int(1));
    js_add(o, "key", key_object(k));
    js_add(o, "model", json_object_new_int(SUM_VERSION));
    js_add(o, "outcome", json_object_new_string(prof_outcome_name(r->outcome)));
    js_add(o, "mode", json_object_new_string(prof_mode_name(r->mode)));
    js_add(o, "local", js_triple(r->local));
    for (unsigned i = 0; i < RATES; i++)
        js_add(o, rates[i].name, number(*(const double *)((const char *)r + rates[i].at)));
    for (unsigned i = 0; i < TIMES; i++) {
        const int64_t ns = *(const int64_t *)((const char *)r + times[i].at);
        if (i < KNOWN_TIMES || ns > 0)
            js_add(o, times[i].name, json_object_new_int64(ns));
    }
    if (r->varied)
        js_add(o, "variant", variant_object(r));
    if (r->offers)
        js_add(o, "offers", hash_object(r->offers));
    if (r->tried)
        js_add(o, "tried", json_object_new_int64(r->tried));
    if (r->past.n)
        js_add(o, "race", evidence_object(&r->past));
    if (r->past.doubts)
        js_add(o, "doubts", json_object_new_int((int)r->past.doubts));
    if (r->past.runs)
        js_add(o, "runs", json_object_new_int((int)r->past.runs));
    if (r->past.launches)
        js_add(o, "few", few_object(&r->past));
    if (r->executable)
        js_add(o, "executable", json_object_new_string(r->executable));
    js_add(o, "date", json_object_new_string(date));
    return o;
}

char *wis_line(const struct wis_key *k, const struct wis_record *r)
{
    struct json_object *o = record_object(k, r);
    const char *s =
        o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE) : NULL;
    size_t body = s ? strlen(s) - 1 : 0; /* without the closing brace */
    char *line = s ? malloc(body + CHECK_SIZE + 1) : NULL;

    if (line) {
        memcpy(line, s, body);
        snprintf(line + body, CHECK_SIZE + 1, CHECK_MARK "%016" PRIx64 "\"}", hash64(HASH64_START, s, body));
    }
    json_object_put(o);
    return line;
}

/* Is the checksum right? */
static bool verify(const char *line)
{
    const size_t size = strlen(line), body = size > CHECK_SIZE ? size - CHECK_SIZE : 0;
    char check[CHECK_SIZE + 1];

    snprintf(check, sizeof check, CHECK_MARK "%016" PRIx64 "\"}", hash64(HASH64_START, line, body));
    return strcmp(line + body, check) == 0;
}

bool wis_find_key(const char *line, struct wis_extent *out)
{
    const char *driver = strstr(line, ",\"driver\":\""),
               *global = driver ? strstr(driver, GLOBAL_MARK) : NULL,
               *end = global ? strchr(global, '}') : NULL;
    char *p = end ? (char *)global + sizeof GLOBAL_MARK - 2 : NULL;

    if (!p || strncmp(line, WIS_START, sizeof WIS_START - 1) != 0 || !verify(line))
        return false;
    out->alike = (size_t)(driver - line);
    out->driver = (size_t)(global - line);
    out->key = (size_t)(end - line);
    for (unsigned i = 0; i < 3; i++)
        out->global[i] = strtoull(p + 1, &p, 10);
    return p + 1 == end; /* "]" is between them */
}

/* ---- text as records ------------------------------------------------------------------------------ */

/* Amounts of time, within what sums of them can hold. */
static int64_t time_of(struct json_object *o, const char *name)
{
    const int64_t v = json_object_get_int64(js_member(o, name));

    return v < -1 ? -1 : v > MAX_TIME ? MAX_TIME : v;
}

static double number_of(struct json_object *o, const char *name)
{
    const double x = json_object_get_double(js_member(o, name));

    return isfinite(x) && x >= 0 ? x : 0;
}

static bool is_named(struct json_object *o, const char *member, const char *name)
{
    return strcmp(js_text(o, member), name) == 0;
}

/* PROF_ASKED, which is not remembered, for none of the others. */
static enum prof_outcome outcome_of(struct json_object *o)
{
    enum prof_outcome outcome = PROF_OPEN;

    while (outcome != PROF_ASKED && !is_named(o, "outcome", prof_outcome_name(outcome)))
        outcome++;
    return outcome;
}

/* PROF_MODES for none. */
static enum prof_mode mode_of(struct json_object *o)
{
    enum prof_mode mode = PROF_NONE;

    while (mode != PROF_MODES && !is_named(o, "mode", prof_mode_name(mode)))
        mode++;
    return mode;
}

/* Read the first `n` numbers of an array.  False if it is none, or they are not finite. */
static bool numbers_of(struct json_object *a, double *out, size_t n)
{
    bool ok = json_object_is_type(a, json_type_array) && json_object_array_length(a) >= n;

    for (size_t i = 0; ok && i < n; i++) {
        out[i] = json_object_get_double(json_object_array_get_idx(a, i));
        ok = isfinite(out[i]);
    }
    return ok;
}

/* A local size.  False if it is none. */
static bool sizes_of(const double v[3], size_t out[3])
{
    for (unsigned i = 0; i < 3; i++) {
        if (!(v[i] >= 0 && v[i] <= MOST_SIZE))
            return false;
        out[i] = (size_t)v[i];
    }
    return true;
}

static unsigned count_of(double v)
{
    return v > 0 && v <= INT_MAX ? (unsigned)v : 0;
}

/* How many elements the array has; 0 if it is none. */
static size_t length_of(struct json_object *a)
{
    return json_object_is_type(a, json_type_array) ? json_object_array_length(a) : 0;
}

static uint64_t hash_of(struct json_object *o)
{
    const char *digits = json_object_get_string(o);

    return digits ? strtoull(digits, NULL, 16) : 0;
}

/* The variant's name and text that stand behind the numbers of a candidate, if any do.  False: not a name. */
static bool name_of(struct json_object *candidate, struct prof_evidence *e)
{
    const char *name = json_object_get_string(json_object_array_get_idx(candidate, 7));

    e->text = hash_of(json_object_array_get_idx(candidate, 8));
    return (size_t)snprintf(e->variant, sizeof e->variant, "%s", name ? name : "") < sizeof e->variant;
}

/* A candidate that cannot be read is left out: it will be measured again. */
static void evidence_of(struct json_object *all, struct prof_past *out)
{
    double v[7];

    for (size_t i = 0; i < length_of(all) && out->n < PROF_MAX_EVIDENCE; i++) {
        struct prof_evidence *e = &out->candidate[out->n];
        struct json_object *candidate = json_object_array_get_idx(all, i);
        if (!numbers_of(candidate, v, 7) || !sizes_of(v, e->local) || !name_of(candidate, e))
            continue;
        e->samples = count_of(v[3]);
        e->best = v[4];
        e->worst = v[5];
        e->failed = v[6] == FAILED;
        e->dropped = v[6] == DROPPED || e->failed;
        e->used = v[6] == USED || e->samples;
        out->n++;
    }
}

static void few_of(struct json_object *few, struct prof_past *out)
{
    struct json_object *own = js_member(few, "own");
    double rate, duel[7];

    out->launches = count_of(number_of(few, "launches"));
    if (out->launches > PROF_FEW_LAUNCHES)
        out->launches = 0;
    if (!out->launches)
        return;
    for (size_t i = 0; i < length_of(own); i++) {
        rate = json_object_get_double(json_object_array_get_idx(own, i));
        if (isfinite(rate) && rate > 0)
            prof_past_add_own(out, rate);
    }
    if (!numbers_of(js_member(few, "duel"), duel, 7) || !sizes_of(duel, out->duel))
        return;
    for (unsigned i = 0; i < 2; i++) {
        out->duel_samples[i] = duel[5 + i] > 0 ? count_of(duel[3 + i]) : 0;
        out->duel_best[i] = duel[5 + i];
    }
}

/* A name that is too long or a size that is none count as none that won. */
static void variant_of(struct json_object *o, struct wis_record *out)
{
    const char *name = json_object_get_string(js_member(o, "name"));
    double local[3];

    out->varied = json_object_is_type(o, json_type_object);
    if (!out->varied || !name || strlen(name) >= sizeof out->variant ||
        !numbers_of(js_member(o, "local"), local, 3) || !sizes_of(local, out->variant_local) ||
        (out->variant_local[0] && (!out->variant_local[1] || !out->variant_local[2])))
        return;
    strcpy(out->variant, name);
    out->variant_gain = number_of(o, "gain");
    out->variant_text = hash_of(js_member(o, "text"));
}

/* False if the record makes no sense. */
static bool record_of(struct json_object *o, struct wis_record *out)
{
    double local[3];

    memset(out, 0, sizeof *out);
    out->outcome = outcome_of(o);
    out->mode = mode_of(o);
    if (out->outcome == PROF_ASKED || out->mode == PROF_MODES ||
        !numbers_of(js_member(o, "local"), local, 3) || !sizes_of(local, out->local) ||
        !out->local[0] != !out->local[1] || !out->local[0] != !out->local[2])
        return false;
    for (unsigned i = 0; i < RATES; i++)
        *(double *)((char *)out + rates[i].at) = number_of(o, rates[i].name);
    for (unsigned i = 0; i < TIMES; i++)
        *(int64_t *)((char *)out + times[i].at) = time_of(o, times[i].name);
    out->past.doubts = count_of(number_of(o, "doubts"));
    out->past.runs = count_of(number_of(o, "runs"));
    variant_of(js_member(o, "variant"), out);
    out->offers = hash_of(js_member(o, "offers"));
    out->tried = count_of(number_of(o, "tried"));
    evidence_of(js_member(o, "race"), &out->past);
    few_of(js_member(o, "few"), &out->past);
    out->stale = json_object_get_int64(js_member(o, "model")) != SUM_VERSION;
    return true;
}

bool wis_parse(const char *line, struct wis_record *out)
{
    struct json_object *o = verify(line) ? json_tokener_parse(line) : NULL;
    const bool ok = o && record_of(o, out);

    json_object_put(o);
    return ok;
}

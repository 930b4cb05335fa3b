/* wisdom_text.c - the form of a wisdom file's lines.
 *
 * Each record is one line.  The order of members is fixed, and there are no spaces:
 *
 *   {"v":1,"key":{"program":"..","kernel":"..","dim":2,"zero_offset":true,"own":[8,8,1],"local_args":"0f..",
 *   "device":"name|vendor","driver":"version","global":[1024,1024,1]},"model":1,"outcome":"won","mode":"slices",
 *   "local":[64,1,1],"gain":1.5,"margin":0.3,"noise":0.01,"item_ns":0.8,"observed_ns":1,"spent_ns":1,
 *   "saved_ns":1,"compile_ns":-1,"granted_ns":1,"race":[[64,1,1,3,0.5,0.7,0]],"date":"2026-01-31T12:00:00Z","check":"0123456789abcdef"}
 *
 * Equal keys are printed as equal text, so they are compared as text.  `local_args` is hexadecimal; `driver`
 * is what follows the last | of wis_key.device.  `check` is FNV-1a (64 bits, hash.h) of all that stands
 * before `,"check"`.
 *
 * A race that is not finished adds
 *
 *   race    its candidates: local size, samples, best and worst relative to the own size, and 0 racing, 1
 *           dropped, 2 failed
 *   doubts  how many races in a row ended in doubt, if any
 *   few     {"launches":2,"own":[..],"duel":[64,1,1,1,1,0.8,0.7]}, where a run has few launches (struct
 *           prof_past): how many, the own size's samples, and the size that is confirming its lead with the
 *           samples and the best of the own size and of that one; times in ns per work-item */
#include "shim/ledger/wisdom_text.h"
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/hash.h"
#include "shim/guest/util.h"
#include "shim/ledger/json.h"

#define MAX_TIME    ((int64_t)1 << 53) /* ns: 104 days */
#define LINE_START  "{\"v\":1,\"key\":"
#define KEY_END     ",\"model\":"
#define DRIVER_MARK ",\"driver\":\""
#define GLOBAL_MARK ",\"global\":["
#define CHECK_MARK  ",\"check\":\""
#define CHECK_SIZE  (sizeof CHECK_MARK - 1 + 16 + sizeof "\"}" - 1)

_Static_assert(WIS_VERSION == 1, "LINE_START names the version");

/* ---- records as text ------------------------------------------------------------------------------ */

/* Seven digits are enough for what is compared against noise; not-a-number becomes 0. */
static struct json_object *number(double x)
{
    return js_number(isfinite(x) ? x : 0, 7);
}

static struct json_object *text(const char *s, size_t size)
{
    return json_object_new_string_len(s, (int)size);
}

static struct json_object *key_object(const struct wis_key *k)
{
    struct json_object *o = json_object_new_object();
    const char *driver = strrchr(k->device, '|');
    size_t device = driver ? (size_t)(driver - k->device) : strlen(k->device);
    char hash[17];

    if (!o)
        return NULL;
    driver = driver ? driver + 1 : "";
    snprintf(hash, sizeof hash, "%016" PRIx64, k->local_args);
    js_add(o, "program", text(k->program, strlen(k->program)));
    js_add(o, "kernel", text(k->kernel, strlen(k->kernel)));
    js_add(o, "dim", json_object_new_int((int)k->dim));
    js_add(o, "zero_offset", json_object_new_boolean(k->zero_offset));
    js_add(o, "own", js_triple(k->own));
    js_add(o, "local_args", text(hash, 16));
    js_add(o, "device", text(k->device, device));
    js_add(o, "driver", text(driver, strlen(driver)));
    js_add(o, "global", js_triple(k->global));
    return o;
}

enum { RACING, DROPPED, FAILED }; /* how a candidate's state is written */

static struct json_object *evidence_object(const struct prof_past *p)
{
    struct json_object *all = json_object_new_array();

    for (unsigned i = 0; all && i < p->n; i++) {
        const struct prof_evidence *e = &p->candidate[i];
        struct json_object *one = js_triple(e->local);
        if (!one)
            continue;
        json_object_array_add(one, json_object_new_int((int)e->samples));
        json_object_array_add(one, number(e->best));
        json_object_array_add(one, number(e->worst));
        json_object_array_add(one, json_object_new_int(e->failed ? FAILED : e->dropped ? DROPPED : RACING));
        json_object_array_add(all, one);
    }
    return all;
}

static struct json_object *few_object(const struct prof_past *p)
{
    struct json_object *o = json_object_new_object(), *own = json_object_new_array();
    struct json_object *duel = p->duel[0] ? js_triple(p->duel) : NULL;

    for (unsigned i = 0; own && i < p->nown; i++)
        json_object_array_add(own, number(p->own[i]));
    for (unsigned i = 0; duel && i < 2; i++)
        json_object_array_add(duel, json_object_new_int((int)p->duel_samples[i]));
    for (unsigned i = 0; duel && i < 2; i++)
        json_object_array_add(duel, number(p->duel_best[i]));
    if (!o) {
        json_object_put(own);
        json_object_put(duel);
        return NULL;
    }
    js_add(o, "launches", json_object_new_int((int)p->launches));
    js_add(o, "own", own);
    js_add(o, "duel", duel);
    return o;
}

static struct json_object *record_object(const struct wis_key *k, const struct wis_record *r)
{
    struct json_object *o = json_object_new_object();
    char date[24];

    if (!o)
        return NULL;
    util_date(date);
    js_add(o, "v", json_object_new_int(WIS_VERSION));
    js_add(o, "key", key_object(k));
    js_add(o, "model", json_object_new_int(SUM_VERSION));
    js_add(o, "outcome", json_object_new_string(prof_outcome_name(r->outcome)));
    js_add(o, "mode", json_object_new_string(prof_mode_name(r->mode)));
    js_add(o, "local", js_triple(r->local));
    js_add(o, "gain", number(r->gain));
    js_add(o, "margin", number(r->margin));
    js_add(o, "noise", number(r->noise));
    js_add(o, "item_ns", number(r->item_ns));
    js_add(o, "observed_ns", json_object_new_int64(r->account.observed_ns));
    js_add(o, "spent_ns", json_object_new_int64(r->account.spent_ns));
    js_add(o, "saved_ns", json_object_new_int64(r->account.saved_ns));
    js_add(o, "compile_ns", json_object_new_int64(r->account.compile_ns));
    js_add(o, "granted_ns", json_object_new_int64(r->account.granted_ns));
    if (r->past.n)
        js_add(o, "race", evidence_object(&r->past));
    if (r->past.doubts)
        js_add(o, "doubts", json_object_new_int((int)r->past.doubts));
    if (r->past.launches)
        js_add(o, "few", few_object(&r->past));
    js_add(o, "date", json_object_new_string(date));
    return o;
}

#define PLAIN (JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

char *wis_prefix(const struct wis_key *k)
{
    struct json_object *o = key_object(k);
    const char *s = o ? json_object_to_json_string_ext(o, PLAIN) : NULL;
    char *prefix = NULL;

    if (s && asprintf(&prefix, LINE_START "%s" KEY_END, s) < 0)
        prefix = NULL;
    json_object_put(o);
    return prefix;
}

char *wis_line(const struct wis_key *k, const struct wis_record *r, size_t *size)
{
    struct json_object *o = record_object(k, r);
    const char *s = o ? json_object_to_json_string_ext(o, PLAIN) : NULL;
    size_t body = s ? strlen(s) - 1 : 0; /* without the closing brace */
    char *line = s ? malloc(body + CHECK_SIZE + 2) : NULL;

    if (line) {
        memcpy(line, s, body);
        *size = body + (size_t)snprintf(line + body, CHECK_SIZE + 2, CHECK_MARK "%016" PRIx64 "\"}\n",
                                        hash64(HASH64_START, s, body));
    }
    json_object_put(o);
    return line;
}

/* The key's text within a line, which is not verified; NULL if there is none. */
static const char *key_of(const char *line, size_t size, size_t *key_size)
{
    const char *key = line + sizeof LINE_START - 1, *end;

    if (size < sizeof LINE_START || memcmp(line, LINE_START, sizeof LINE_START - 1) != 0)
        return NULL;
    end = memmem(key, size - (sizeof LINE_START - 1), "]}" KEY_END, sizeof KEY_END + 1);
    if (!end)
        return NULL;
    *key_size = (size_t)(end + 2 - key);
    return key;
}

bool wis_verify(const char *line, size_t size)
{
    char check[CHECK_SIZE + 1];
    size_t body, key;

    if (size < sizeof LINE_START + CHECK_SIZE)
        return false;
    body = size - CHECK_SIZE;
    snprintf(check, sizeof check, CHECK_MARK "%016" PRIx64 "\"}", hash64(HASH64_START, line, body));
    return memcmp(line + body, check, CHECK_SIZE) == 0 && key_of(line, body, &key);
}

bool wis_program(const char *line, size_t size, uint64_t *program)
{
    static const char start[] = LINE_START "{\"program\":\"";
    const size_t skip = sizeof start - 1;
    const char *end;
    uint64_t part[4];

    if (size < skip + CHECK_SIZE || memcmp(line, start, skip) != 0)
        return false;
    if (size > skip + sizeof part && line[skip + sizeof part] == '"') { /* 128 bits in hexadecimal */
        memcpy(part, line + skip, sizeof part);
        *program = part[0] * 3 ^ part[1] * 5 ^ part[2] * 7 ^ part[3] * 11;
        return true;
    }
    end = memchr(line + skip, '"', size - skip);
    if (!end)
        return false;
    *program = hash64(HASH64_START, line + skip, (size_t)(end - line) - skip);
    return true;
}

bool wis_identify(const char *line, size_t size, struct wis_identity *out)
{
    size_t key_size, i = 0;
    const char *key = key_of(line, size, &key_size), *driver, *global, *p;

    driver = key ? memmem(key, key_size, DRIVER_MARK, sizeof DRIVER_MARK - 1) : NULL;
    global = driver ? memmem(driver, key_size - (size_t)(driver - key), GLOBAL_MARK, sizeof GLOBAL_MARK - 1)
                    : NULL;
    if (!global)
        return false;
    out->group = hash64(HASH64_START, key, (size_t)(driver - key));
    out->driver = hash64(out->group, driver, (size_t)(global - driver));
    out->key = hash64(out->driver, global, key_size - (size_t)(global - key));
    for (p = global + sizeof GLOBAL_MARK - 1; i < 3; i++, p++) {
        char *end;
        unsigned long long v = strtoull(p, &end, 10); /* the line goes on after the key: "]}," ends it */
        if (end == p)
            return false;
        out->global[i] = (size_t)v;
        p = end;
    }
    return true;
}

bool wis_alike(const char *line, size_t size, const char *prefix, bool whole)
{
    const char *driver = whole ? NULL : strstr(prefix, DRIVER_MARK);
    const size_t wanted = driver ? (size_t)(driver - prefix) : strlen(prefix);

    return size >= wanted && memcmp(line, prefix, wanted) == 0;
}

/* ---- text as records ------------------------------------------------------------------------------ */

static int64_t integer_of(struct json_object *o, const char *name)
{
    struct json_object *v;

    return json_object_object_get_ex(o, name, &v) ? json_object_get_int64(v) : 0;
}

/* Amounts of time, within what sums of them can hold. */
static int64_t time_of(struct json_object *o, const char *name)
{
    const int64_t v = integer_of(o, name);

    return v < -1 ? -1 : v > MAX_TIME ? MAX_TIME : v;
}

static double number_of(struct json_object *o, const char *name)
{
    struct json_object *v;
    double x = json_object_object_get_ex(o, name, &v) ? json_object_get_double(v) : 0;

    return isfinite(x) && x >= 0 ? x : 0;
}

static bool is_named(struct json_object *o, const char *member, const char *name)
{
    struct json_object *v;
    const char *s = json_object_object_get_ex(o, member, &v) ? json_object_get_string(v) : NULL;

    return s && strcmp(s, name) == 0;
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

static bool sizes_of(struct json_object *a, size_t out[3])
{
    for (size_t i = 0; i < 3; i++) {
        int64_t v = json_object_get_int64(json_object_array_get_idx(a, i));
        if (v < 0)
            return false;
        out[i] = (size_t)v;
    }
    return true;
}

static bool triple_of(struct json_object *o, const char *name, size_t out[3])
{
    struct json_object *a;

    return json_object_object_get_ex(o, name, &a) && json_object_is_type(a, json_type_array) &&
           json_object_array_length(a) == 3 && sizes_of(a, out);
}

/* A candidate that cannot be read is left out: it will be measured again. */
static void evidence_of(struct json_object *o, struct prof_past *out)
{
    struct json_object *all;

    if (!json_object_object_get_ex(o, "race", &all) || !json_object_is_type(all, json_type_array))
        return;
    for (size_t i = 0; i < json_object_array_length(all) && out->n < PROF_MAX_EVIDENCE; i++) {
        struct json_object *one = json_object_array_get_idx(all, i);
        struct prof_evidence *e = &out->candidate[out->n];
        int samples, state;
        if (!json_object_is_type(one, json_type_array) || json_object_array_length(one) != 7 ||
            !sizes_of(one, e->local))
            continue;
        samples = json_object_get_int(json_object_array_get_idx(one, 3));
        e->samples = samples > 0 ? (unsigned)samples : 0;
        e->best = json_object_get_double(json_object_array_get_idx(one, 4));
        e->worst = json_object_get_double(json_object_array_get_idx(one, 5));
        state = json_object_get_int(json_object_array_get_idx(one, 6));
        e->failed = state == FAILED;
        e->dropped = state != RACING;
        if (isfinite(e->best) && isfinite(e->worst))
            out->n++;
    }
}

static bool is_rate(double x)
{
    return isfinite(x) && x > 0;
}

static void duel_of(struct json_object *duel, struct prof_past *out)
{
    if (!json_object_is_type(duel, json_type_array) || json_object_array_length(duel) != 7)
        return;
    for (unsigned i = 0; i < 2; i++) {
        const int samples = json_object_get_int(json_object_array_get_idx(duel, 3 + i));
        out->duel_samples[i] = samples > 0 ? (unsigned)samples : 0;
        out->duel_best[i] = json_object_get_double(json_object_array_get_idx(duel, 5 + i));
        if (out->duel_samples[i] && !is_rate(out->duel_best[i]))
            out->duel_samples[i] = 0;
    }
    if (!sizes_of(duel, out->duel))
        memset(out->duel, 0, sizeof out->duel);
}

static void few_of(struct json_object *o, struct prof_past *out)
{
    struct json_object *few, *own, *duel;
    int64_t launches;

    if (!json_object_object_get_ex(o, "few", &few) || !json_object_is_type(few, json_type_object))
        return;
    launches = integer_of(few, "launches");
    if (launches <= 0 || launches > PROF_FEW_LAUNCHES)
        return;
    out->launches = (unsigned)launches;
    if (json_object_object_get_ex(few, "own", &own) && json_object_is_type(own, json_type_array))
        for (size_t i = 0; i < json_object_array_length(own); i++) {
            const double rate = json_object_get_double(json_object_array_get_idx(own, i));
            if (is_rate(rate))
                prof_past_add_own(out, rate);
        }
    if (json_object_object_get_ex(few, "duel", &duel))
        duel_of(duel, out);
}

static bool fill(struct json_object *o, struct wis_record *out)
{
    struct json_object *date;
    int64_t doubts;
    bool zero;

    memset(out, 0, sizeof *out);
    out->outcome = outcome_of(o);
    out->mode = mode_of(o);
    if (out->outcome == PROF_ASKED || out->mode == PROF_MODES || !triple_of(o, "local", out->local))
        return false;
    zero = out->local[0] == 0;
    if ((out->local[1] == 0) != zero || (out->local[2] == 0) != zero)
        return false;
    out->gain = number_of(o, "gain");
    out->margin = number_of(o, "margin");
    out->noise = number_of(o, "noise");
    out->item_ns = number_of(o, "item_ns");
    out->account.observed_ns = time_of(o, "observed_ns");
    out->account.spent_ns = time_of(o, "spent_ns");
    out->account.saved_ns = time_of(o, "saved_ns");
    out->account.compile_ns = time_of(o, "compile_ns");
    out->account.granted_ns = time_of(o, "granted_ns");
    doubts = integer_of(o, "doubts");
    out->past.doubts = doubts > 0 && doubts <= INT_MAX ? (unsigned)doubts : 0;
    evidence_of(o, &out->past);
    few_of(o, &out->past);
    if (json_object_object_get_ex(o, "date", &date) && date)
        snprintf(out->date, sizeof out->date, "%s", json_object_get_string(date));
    out->stale = integer_of(o, "model") != SUM_VERSION;
    return true;
}

bool wis_parse(const char *line, size_t size, struct wis_record *out)
{
    struct json_tokener *t = json_tokener_new();
    struct json_object *o = t ? json_tokener_parse_ex(t, line, (int)size) : NULL;
    bool ok = o && fill(o, out);

    json_object_put(o);
    if (t)
        json_tokener_free(t);
    return ok;
}

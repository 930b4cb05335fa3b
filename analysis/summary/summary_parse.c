/* summary_parse.c - reads the text form that summary_print.c documents.
 *
 * It runs inside other people's processes, on files from a cache directory, so nothing in the input is
 * trusted: memory grows with what was actually read, never with a number found in the text; every count has a
 * limit; nothing recurses; and what was built so far is released on every error path. */
#include "analysis/summary/summary.h"

#include "analysis/summary/hash.h"
#include "analysis/summary/summary_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A cursor over one line at a time; `err` is the first error, 0 while all is well. */
struct in {
    const char *p, *eol, *end;
    unsigned line;
    int err;
    const char *tok; /* current token: tok[0..len); a string keeps its quotes */
    size_t len;
};

struct vec { /* growth bookkeeping of the arrays under construction */
    uint32_t args, vars, callees, insns, opnds, blocks, loops, access, undef;
};

static bool fail(struct in *in, int err)
{
    if (!in->err)
        in->err = err;
    return false;
}

/* `array` with room for element number `n`; `cap` is its capacity.  On error the array as it was. */
static void *grown(struct in *in, void *array, uint32_t n, uint32_t *cap, size_t size, uint32_t max)
{
    if (n >= max)
        fail(in, -EINVAL);
    if (in->err || n < *cap)
        return array;
    uint32_t room = *cap ? *cap * 2 : 4;
    char *bigger = realloc(array, room * size);
    if (!bigger) {
        fail(in, -ENOMEM);
        return array;
    }
    memset(bigger + n * size, 0, (room - n) * size);
    *cap = room;
    return bigger;
}

/* Grow the array lvalue `a` if need be; false on error. */
#define reserve(in, a, n, cap, max) ((a) = grown(in, a, n, cap, sizeof(*(a)), max), !(in)->err)

/* ---- tokens ---------------------------------------------------------------------------------------- */

static bool next_line(struct in *in)
{
    if (in->p >= in->end)
        return false;
    in->line++;
    const char *nl = memchr(in->p, '\n', (size_t)(in->end - in->p));
    in->eol = nl ? nl : in->end;
    return true;
}

static void end_line(struct in *in)
{
    in->p = in->eol < in->end ? in->eol + 1 : in->end;
}

static void skip_blanks(struct in *in)
{
    while (in->p < in->eol && *in->p == ' ')
        in->p++;
}

static bool at_eol(struct in *in)
{
    skip_blanks(in);
    return in->p == in->eol;
}

/* Take the next token of the line; false (and an error) when there is none. */
static bool token(struct in *in)
{
    if (in->err)
        return false;
    if (at_eol(in))
        return fail(in, -EINVAL);
    in->tok = in->p;
    if (*in->p == '"') {
        for (in->p++; in->p < in->eol && *in->p != '"'; in->p++)
            if (*in->p == '\\' && in->p + 1 < in->eol)
                in->p++;
        if (in->p >= in->eol)
            return fail(in, -EINVAL);
        in->p++;
    } else {
        while (in->p < in->eol && *in->p != ' ')
            in->p++;
    }
    in->len = (size_t)(in->p - in->tok);
    return true;
}

static bool is(const struct in *in, const char *word)
{
    return strlen(word) == in->len && memcmp(word, in->tok, in->len) == 0;
}

/* Take the next token only if it is `word`. */
static bool accept(struct in *in, const char *word)
{
    struct in before = *in;
    if (in->err || at_eol(in))
        return false;
    if (token(in) && is(in, word))
        return true;
    *in = before;
    return false;
}

static bool to_u64(const char *s, size_t n, uint64_t *out)
{
    uint64_t v = 0;
    if (n == 0 || n > 20)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        if (__builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, (uint64_t)(s[i] - '0'), &v))
            return false;
    }
    *out = v;
    return true;
}

static bool to_i64(const char *s, size_t n, int64_t *out)
{
    uint64_t u;
    bool negative = n > 0 && s[0] == '-';
    if (!to_u64(s + negative, n - negative, &u) || u > (uint64_t)INT64_MAX + negative)
        return false;
    *out = negative ? (int64_t)(0 - u) : (int64_t)u;
    return true;
}

static uint64_t u64(struct in *in, uint64_t max)
{
    uint64_t v = 0;
    if (token(in) && (!to_u64(in->tok, in->len, &v) || v > max))
        fail(in, -EINVAL);
    return in->err ? 0 : v;
}

static uint32_t u32(struct in *in)
{
    return (uint32_t)u64(in, UINT32_MAX);
}

static unsigned word(struct in *in, const struct sum_names *names)
{
    int i = token(in) ? sum_word_index(names, in->tok, in->len) : 0;
    if (i < 0)
        fail(in, -EINVAL);
    return in->err ? 0 : (unsigned)i;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decode one escape at s (behind the backslash), n bytes left; returns the bytes used, 0 when malformed. */
static size_t escape(const char *s, size_t n, char *out)
{
    if (n == 0)
        return 0;
    if (s[0] == 'x') {
        int hi = n >= 3 ? hex_digit(s[1]) : -1, lo = n >= 3 ? hex_digit(s[2]) : -1;
        *out = (char)(hi * 16 + lo);
        return hi < 0 || lo < 0 || *out == 0 ? 0 : 3; /* NUL cannot be kept in a C string */
    }
    *out = s[0] == 'n' ? '\n' : s[0] == 't' ? '\t' : s[0];
    return s[0] == 'n' || s[0] == 't' || s[0] == '"' || s[0] == '\\' ? 1 : 0;
}

/* A quoted string; NULL on error.  Owned by the caller. */
static char *string(struct in *in)
{
    if (!token(in))
        return NULL;
    if (in->tok[0] != '"') {
        fail(in, -EINVAL);
        return NULL;
    }
    char *s = malloc(in->len);
    if (!s) {
        fail(in, -ENOMEM);
        return NULL;
    }
    const char *p = in->tok + 1, *end = in->tok + in->len - 1;
    size_t n = 0;
    while (p < end) {
        size_t used = 1;
        if (*p == '\\') {
            used = escape(p + 1, (size_t)(end - p - 1), &s[n]);
            if (used == 0)
                break;
            p++;
        } else if (*p == 0) {
            break;
        } else {
            s[n] = *p;
        }
        p += used;
        n++;
    }
    s[n] = 0;
    if (p == end)
        return s;
    free(s);
    fail(in, -EINVAL);
    return NULL;
}

/* ---- polynomials, ranges --------------------------------------------------------------------------- */

/* One symbol "kind:index" or "zkind:index". */
static bool parse_sym(struct in *in, const char *s, const char *end, struct sum_sym *out)
{
    const char *colon = memchr(s, ':', (size_t)(end - s));
    uint64_t index;
    if (!colon || !to_u64(colon + 1, (size_t)(end - colon - 1), &index) || index > UINT32_MAX)
        return fail(in, -EINVAL);
    int kind = sum_word_index(&sum_sym_names, s, (size_t)(colon - s));
    out->zext = kind < 0 && *s == 'z';
    if (out->zext)
        kind = sum_word_index(&sum_sym_names, s + 1, (size_t)(colon - s - 1));
    if (kind < 0)
        return fail(in, -EINVAL);
    out->kind = (uint8_t)kind;
    out->index = (uint32_t)index;
    return true;
}

/* One term "coef*sym*sym", the current token. */
static bool parse_term(struct in *in, struct sum_term *t)
{
    const char *end = in->tok + in->len;
    const char *star = memchr(in->tok, '*', in->len);
    if (!to_i64(in->tok, (size_t)((star ? star : end) - in->tok), &t->coef))
        return fail(in, -EINVAL);
    while (star) {
        const char *s = star + 1;
        star = memchr(s, '*', (size_t)(end - s));
        if (t->nsym == SUM_TERM_SYMS)
            return fail(in, -EINVAL);
        if (!parse_sym(in, s, star ? star : end, &t->sym[t->nsym]))
            return false;
        t->nsym++;
    }
    return true;
}

static bool parse_poly(struct in *in, struct sum_poly *p)
{
    uint32_t cap = 0;
    if (!accept(in, "{"))
        return fail(in, -EINVAL);
    while (token(in) && !is(in, "}")) {
        if (!reserve(in, p->term, p->nterm, &cap, SUM_MAX_TERM))
            return false;
        p->nterm++;
        if (!parse_term(in, &p->term[p->nterm - 1]))
            return false;
    }
    return !in->err;
}

static bool parse_ranges(struct in *in, struct sum_range **range, uint32_t *n)
{
    uint32_t cap = 0;
    while (accept(in, "fits")) {
        if (!reserve(in, *range, *n, &cap, SUM_MAX_ITEM))
            return false;
        struct sum_range *r = &(*range)[(*n)++];
        r->is_signed = accept(in, "i");
        if (!r->is_signed && !accept(in, "u"))
            return fail(in, -EINVAL);
        r->bits = (uint8_t)u64(in, 64);
        parse_poly(in, &r->poly);
    }
    return !in->err;
}

/* ---- lines of a kernel ----------------------------------------------------------------------------- */

static void parse_arg(struct in *in, struct kernel_summary *k, struct vec *cap)
{
    if (!reserve(in, k->args, k->nargs, &cap->args, SUM_MAX_ITEM))
        return;
    struct sum_arg *a = &k->args[k->nargs++];
    a->name = string(in);
    a->type = string(in);
    a->kind = word(in, &sum_arg_kind_names);
    a->space = word(in, &sum_space_names);
    a->size = u32(in);
    a->may_read = accept(in, "r");
    if (!a->may_read && !accept(in, "-"))
        fail(in, -EINVAL);
    a->may_write = accept(in, "w");
    if (!a->may_write && !accept(in, "-"))
        fail(in, -EINVAL);
}

static void parse_flags(struct in *in, struct kernel_summary *k)
{
    k->relaxed_math = accept(in, "relaxed");
    k->has_atomics = accept(in, "atomics");
    k->has_images = accept(in, "images");
    k->has_barrier = accept(in, "barrier");
    k->needs_uniform = accept(in, "uniform");
    k->uneven = accept(in, "uneven");
    if (accept(in, "ids")) {
        const uint32_t bits = u32(in);
        if (bits < 1 || bits > 31)
            fail(in, -EINVAL);
        k->id_bits = (uint8_t)bits;
    }
}

static void parse_var(struct in *in, struct kernel_summary *k, struct vec *cap)
{
    if (!reserve(in, k->vars, k->nvars, &cap->vars, SUM_MAX_ITEM))
        return;
    struct sum_var *v = &k->vars[k->nvars++];
    v->name = string(in);
    v->space = word(in, &sum_space_names);
    v->bytes = u64(in, UINT64_MAX);
}

static void parse_callee(struct in *in, struct kernel_summary *k, struct vec *cap)
{
    if (reserve(in, k->callees, k->ncallees, &cap->callees, SUM_MAX_ITEM))
        k->callees[k->ncallees++] = string(in);
}

/* One "key=value" of an instruction, the current token. */
static void parse_key(struct in *in, struct sum_insn *insn)
{
    const char *eq = memchr(in->tok, '=', in->len);
    size_t klen = eq ? (size_t)(eq - in->tok) : 0;
    const char *val = eq ? eq + 1 : in->tok;
    size_t vlen = eq ? in->len - klen - 1 : 0;
    const struct sum_names *names = NULL;
    uint8_t *byte = NULL;
    uint64_t n = 0;
#define KEY(s) (klen == sizeof(s) - 1 && memcmp(in->tok, s, sizeof(s) - 1) == 0)
    if (KEY("sub")) {
        names = sum_sub_names(insn->op);
        byte = &insn->sub;
        if (!names)
            fail(in, -EINVAL);
    } else if (KEY("space")) {
        names = &sum_space_names;
        byte = &insn->space;
    } else if (KEY("cls")) {
        names = &sum_class_names;
        byte = &insn->cls;
    } else if (KEY("bits")) {
        byte = &insn->bits;
    } else if (KEY("x")) {
        byte = &insn->lanes;
    } else if (KEY("flags")) {
        byte = &insn->flags;
    } else if (KEY("imm")) {
        if (!to_i64(val, vlen, &insn->imm))
            fail(in, -EINVAL);
        return;
    } else if (KEY("bytes") || KEY("line")) {
        if (!to_u64(val, vlen, &n) || n > UINT32_MAX)
            fail(in, -EINVAL);
        *(KEY("line") ? &insn->line : &insn->bytes) = (uint32_t)n;
        return;
    }
#undef KEY
    if (names) {
        int i = sum_word_index(names, val, vlen);
        n = i < 0 ? UINT64_MAX : (uint64_t)i;
    } else if (!byte || !to_u64(val, vlen, &n)) {
        n = UINT64_MAX;
    }
    if (n > UINT8_MAX)
        fail(in, -EINVAL);
    else if (!in->err)
        *byte = (uint8_t)n;
}

/* "ID OP keys : operands"; the id is the current token. */
static void parse_insn(struct in *in, struct kernel_summary *k, struct vec *cap)
{
    uint64_t id;
    if (!to_u64(in->tok, in->len, &id) || id != k->ninsn) {
        fail(in, -EINVAL);
        return;
    }
    if (!reserve(in, k->insns, k->ninsn, &cap->insns, SUM_MAX_INSN))
        return;
    struct sum_insn *insn = &k->insns[k->ninsn++];
    insn->op = (uint8_t)word(in, &sum_op_names);
    insn->lanes = 1;
    insn->opnd = k->nopnd;
    while (!in->err && !at_eol(in) && token(in) && !is(in, ":"))
        parse_key(in, insn);
    while (!in->err && !at_eol(in)) {
        uint32_t o = u32(in);
        if (in->err || !reserve(in, k->opnds, k->nopnd, &cap->opnds, SUM_MAX_OPND))
            return;
        k->opnds[k->nopnd++] = o;
        insn->nopnd++;
    }
    if (k->nblock)
        k->blocks[k->nblock - 1].end = k->ninsn;
    else
        k->nleaf = k->ninsn;
}

static void parse_block(struct in *in, struct kernel_summary *k, struct vec *cap)
{
    if (reserve(in, k->blocks, k->nblock, &cap->blocks, SUM_MAX_INSN)) {
        k->blocks[k->nblock].first = k->blocks[k->nblock].end = k->ninsn;
        k->nblock++;
    }
}

/* Reasons and facts are few; a linear search per line is cheap. */
static void parse_fact(struct in *in, struct kernel_summary *k, unsigned *seen)
{
    unsigned fact = 0, reason = 0;
    if (!token(in))
        return;
    while (fact < SUM_FACTS && !is(in, sum_fact_name(fact)))
        fact++;
    if (!token(in))
        return;
    while (reason < SUM_R_COUNT && !is(in, sum_reason_name(reason)))
        reason++;
    if (fact == SUM_FACTS || reason == SUM_R_COUNT || (*seen >> fact & 1)) {
        fail(in, -EINVAL);
        return;
    }
    *seen |= 1u << fact;
    k->fact[fact].reason = reason;
    k->fact[fact].line = u32(in);
    if (!accept(in, "-"))
        k->fact[fact].detail = string(in);
}

/* The number behind "key=" in the next token, if that is the key. */
static bool accept_key(struct in *in, const char *key, int64_t *value)
{
    struct in before = *in;
    size_t n = strlen(key);
    if (!in->err && !at_eol(in) && token(in) && in->len > n && memcmp(in->tok, key, n) == 0 &&
        in->tok[n] == '=') {
        if (!to_i64(in->tok + n + 1, in->len - n - 1, value))
            fail(in, -EINVAL);
        return !in->err;
    }
    *in = before;
    return false;
}

static void parse_loop(struct in *in, struct kernel_summary *k, struct vec *cap)
{
    if (!reserve(in, k->loops, k->nloop, &cap->loops, SUM_MAX_ITEM))
        return;
    struct sum_loop *l = &k->loops[k->nloop++];
    l->header = u32(in);
    l->bounded = accept(in, "bounded");
    l->quotient = accept(in, "quotient") ? SUM_Q_DIVIDE : SUM_Q_NONE;
    if (l->quotient && accept(in, "power"))
        l->quotient = SUM_Q_POWER;
    else if (l->quotient && accept(in, "shift"))
        l->quotient = SUM_Q_SHIFT;
    if (!accept_key(in, "step", &l->step) || !accept(in, "limit") || !parse_poly(in, &l->limit) ||
        !accept(in, "step_poly") || !parse_poly(in, &l->step_poly) ||
        !parse_ranges(in, &l->range, &l->nrange))
        fail(in, -EINVAL);
}

static void parse_guards(struct in *in, struct sum_access *a)
{
    uint32_t cap = 0;
    while (!in->err && !at_eol(in)) {
        bool equal = accept(in, "eq");
        if (!equal && !accept(in, "lt")) {
            fail(in, -EINVAL);
            return;
        }
        if (!reserve(in, a->guard, a->nguard, &cap, SUM_MAX_ITEM))
            return;
        struct sum_guard *g = &a->guard[a->nguard++];
        g->equal = equal;
        if (!parse_poly(in, &g->lhs) || !parse_poly(in, &g->rhs))
            return;
    }
}

static void parse_access(struct in *in, struct kernel_summary *k, struct vec *cap)
{
    int64_t wrap = 0;
    if (!reserve(in, k->access, k->naccess, &cap->access, SUM_MAX_INSN))
        return;
    struct sum_access *a = &k->access[k->naccess++];
    a->kind = word(in, &sum_access_names);
    a->insn = u32(in);
    a->arg = u32(in);
    a->bytes = u32(in);
    a->affine = accept(in, "affine");
    a->constant_value = accept_key(in, "constant", &a->constant);
    accept_key(in, "wrap", &wrap);
    if (wrap < 0 || wrap > 64)
        fail(in, -EINVAL);
    a->wrap_bits = (uint8_t)wrap;
    while (a->ncoord < 3 && !in->err && !at_eol(in) && *in->p == '{')
        parse_poly(in, &a->coord[a->ncoord++]);
    parse_ranges(in, &a->range, &a->nrange);
    parse_guards(in, a);
}

static void parse_undef_edge(struct in *in, struct kernel_summary *k, struct vec *cap)
{
    if (!reserve(in, k->undef, k->nundef, &cap->undef, SUM_MAX_ITEM))
        return;
    struct sum_undef_edge *w = &k->undef[k->nundef++];
    w->from = u32(in);
    w->to = accept(in, "to") ? u32(in) : SUM_ANYWHERE;
    if (!accept(in, "line"))
        fail(in, -EINVAL);
    w->line = u32(in);
}

static void three(struct in *in, uint32_t v[3])
{
    for (unsigned i = 0; i < 3; i++)
        v[i] = u32(in);
}

/* One line inside a kernel, its first token already taken. */
static void kernel_line(struct in *in, struct kernel_summary *k, struct vec *cap, unsigned *facts)
{
    if (in->tok[0] >= '0' && in->tok[0] <= '9')
        parse_insn(in, k, cap);
    else if (is(in, "block"))
        parse_block(in, k, cap);
    else if (is(in, "access"))
        parse_access(in, k, cap);
    else if (is(in, "loop"))
        parse_loop(in, k, cap);
    else if (is(in, "open"))
        parse_undef_edge(in, k, cap);
    else if (is(in, "fact"))
        parse_fact(in, k, facts);
    else if (is(in, "arg"))
        parse_arg(in, k, cap);
    else if (is(in, "var"))
        parse_var(in, k, cap);
    else if (is(in, "callee"))
        parse_callee(in, k, cap);
    else if (is(in, "flags"))
        parse_flags(in, k);
    else if (is(in, "reqd"))
        three(in, k->reqd);
    else if (is(in, "hint"))
        three(in, k->hint);
    else if (is(in, "local_bytes"))
        k->local_bytes = u64(in, UINT64_MAX);
    else if (is(in, "private_bytes"))
        k->private_bytes = u64(in, UINT64_MAX);
    else if (is(in, "registers"))
        k->registers = u32(in);
    else
        fail(in, -EINVAL);
}

/* From behind "kernel" to "endkernel". */
static void parse_kernel(struct in *in, struct kernel_summary *k)
{
    struct vec cap = {0};
    unsigned facts = 0;
    const char *why;
    k->name = string(in);
    while (!in->err) {
        if (!at_eol(in))
            fail(in, -EINVAL);
        end_line(in);
        if (in->err || !next_line(in) || !token(in)) {
            fail(in, -EINVAL);
            return;
        }
        if (is(in, "endkernel"))
            break;
        kernel_line(in, k, &cap, &facts);
    }
    /* A kernel without a body says nothing, so nothing may be claimed about it. */
    bool claims = false;
    for (unsigned i = 0; i < SUM_FACTS; i++)
        claims |= k->fact[i].reason == SUM_R_NONE;
    if (!in->err && (facts != (1u << SUM_FACTS) - 1 || (k->nblock == 0 && claims) || sum_check(k, &why) != 0))
        fail(in, -EINVAL);
}

static void parse_file(struct in *in, struct sum_file *f)
{
    uint64_t *const fields[] = {&f->dev, &f->ino, &f->size, &f->mtime_ns, &f->ctime_ns};

    f->path = string(in);
    f->absent = accept(in, "absent");
    for (size_t i = 0; !f->absent && i < sizeof fields / sizeof *fields; i++)
        *fields[i] = u64(in, UINT64_MAX);
    if (!in->err && f->path[0] != '/')
        fail(in, -EINVAL);
}

static void parse_lines(struct in *in, struct program_summary *p)
{
    uint32_t cap = 0, file_cap = 0;
    while (!in->err && next_line(in)) {
        if (!token(in))
            return;
        if (is(in, "error") && !p->error) {
            p->error = string(in);
        } else if (is(in, "files") && !p->files_known) {
            p->files_known = true;
        } else if (is(in, "file") && p->files_known) {
            if (!reserve(in, p->file, p->nfile, &file_cap, SUM_MAX_FILE))
                return;
            parse_file(in, &p->file[p->nfile++]);
        } else if (is(in, "kernel")) {
            if (!reserve(in, p->kernel, p->nkernel, &cap, SUM_MAX_KERNEL))
                return;
            parse_kernel(in, &p->kernel[p->nkernel++]);
        } else {
            fail(in, -EINVAL);
        }
        if (!in->err && !at_eol(in))
            fail(in, -EINVAL);
        end_line(in);
    }
}

/* The first line: -ENOTSUP tells an honest file of another version from rubbish. */
static void parse_magic(struct in *in)
{
    uint64_t version;
    if (!next_line(in) || !accept(in, SUM_MAGIC)) {
        fail(in, -EINVAL);
        return;
    }
    version = u64(in, UINT64_MAX);
    if (!in->err && version != SUM_VERSION)
        fail(in, -ENOTSUP);
    if (!in->err && !at_eol(in))
        fail(in, -EINVAL);
    end_line(in);
}

/* Check "end CHECKSUM\n" and cut it off.  The checksum guards against truncation and bit rot, not against
 * malice. */
static void parse_end(struct in *in, const char *text)
{
    static const size_t tail = sizeof("end 0123456789abcdef\n") - 1;
    if (in->err)
        return;
    const char *last = in->end - tail;
    uint64_t sum = 0;
    bool good = (size_t)(in->end - in->p) >= tail && last[-1] == '\n' && memcmp(last, "end ", 4) == 0 &&
                in->end[-1] == '\n';
    for (size_t i = 4; good && i < tail - 1; i++) {
        good = hex_digit(last[i]) >= 0;
        sum = sum << 4 | (unsigned)hex_digit(last[i]);
    }
    if (!good || sum != hash64(HASH64_START, text, (size_t)(last - text)))
        fail(in, -EINVAL);
    in->end = last;
}

int sum_parse(const char *text, size_t size, struct program_summary *out, unsigned *line)
{
    struct program_summary p = {0};
    struct in in = {.p = text, .end = text + size};
    if (size > SUM_MAX_TEXT)
        fail(&in, -EINVAL);
    else
        parse_magic(&in);
    parse_end(&in, text);
    if (!in.err)
        parse_lines(&in, &p);
    if (line)
        *line = in.line;
    if (in.err)
        sum_free(&p);
    else
        *out = p;
    return in.err;
}

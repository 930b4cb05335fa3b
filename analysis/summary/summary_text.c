/* summary_text.c - the text form of a summary, written and read.
 *
 *   clsizer-summary VERSION                            SUM_VERSION
 *   error "text"                                       instead of kernels, or beside them
 *   files                                              all files that matter follow, or there are none
 *   file "path" absent
 *   file "path" DEV INO SIZE MTIME_NS CTIME_NS
 *   kernel "name"
 *   arg "name" "type" KIND SPACE SIZE r|- w|- [restrict]
 *   reqd X Y Z            hint X Y Z            local_bytes N   private_bytes N   registers N
 *   flags [relaxed] [atomics] [images] [barrier] [uniform] [uneven] [group] [ids BITS] [flat DIMENSIONS]
 *   var "name" SPACE BYTES
 *   callee "name"
 *   ID OP [sub=S] [bits=N] [x=LANES] [space=S] [flags=N] [bytes=N] [imm=N] [cls=C] [line=N] [: OPERANDS]
 *   block                                              starts a block; what is before the first are leaves
 *   fact NAME REASON LINE -|"detail"                   all seven
 *   loop HEADER [bounded] [quotient [power|shift]] step=N limit {P} step_poly {P} RANGES
 *   access KIND INSN ARG BYTES [affine] [constant=N] [wrap=N] COORDS RANGES GUARDS
 *   open FROM [to TO] [first] line LINE                an edge on which a variable is undefined
 *   endkernel
 *   end CHECKSUM                                       FNV-1a 64 of all before, 16 hexadecimal digits
 *
 *   COORDS: {P}...    RANGES: [fits i|u BITS {P}]...    GUARDS: [lt|eq {P} {P}]...
 *   P: terms COEF[*SYM:INDEX]..., blank-separated; SYM "zarg" / "zuniform" for zero-extended ones
 *
 * Lines and keys stand in this order.  Keys whose value is zero (lanes: one) are left out, and so may be the
 * lines from `reqd` to `flags`.  Strings are quoted; bytes outside printable ASCII are \xHH.
 *
 * Each line is described once (text.h). */
#include "analysis/summary/summary.h"

#include "analysis/summary/hash.h"
#include "analysis/summary/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- polynomials, ranges --------------------------------------------------------------------------- */

/* One term "coef*sym*sym"; a symbol is "kind:index" or "zkind:index". */
static void write_term(struct text *t, const struct sum_term *term)
{
    text_blank(t);
    text_putf(t, "%" PRId64, term->coef);
    for (uint32_t j = 0; j < term->nsym; j++)
        text_putf(t, "*%s%s:%" PRIu32, term->sym[j].zext ? "z" : "",
                  sum_word(&sum_sym_names, term->sym[j].kind), term->sym[j].index);
}

static bool read_sym(struct text *t, const char *s, const char *end, struct sum_sym *out)
{
    const char *colon = memchr(s, ':', (size_t)(end - s));
    uint64_t index;
    if (!colon || !text_u64(colon + 1, (size_t)(end - colon - 1), &index) || index > UINT32_MAX)
        return text_fail(t, -EINVAL);
    int kind = sum_word_index(&sum_sym_names, s, (size_t)(colon - s));
    out->zext = kind < 0 && *s == 'z';
    if (out->zext)
        kind = sum_word_index(&sum_sym_names, s + 1, (size_t)(colon - s - 1));
    if (kind < 0)
        return text_fail(t, -EINVAL);
    out->kind = (uint8_t)kind;
    out->index = (uint32_t)index;
    return true;
}

static bool read_term(struct text *t, struct sum_term *term)
{
    const char *end = t->tok + t->len;
    const char *star = memchr(t->tok, '*', t->len);
    if (!text_i64(t->tok, (size_t)((star ? star : end) - t->tok), &term->coef))
        return text_fail(t, -EINVAL);
    while (star) {
        const char *s = star + 1;
        star = memchr(s, '*', (size_t)(end - s));
        if (term->nsym == SUM_TERM_SYMS)
            return text_fail(t, -EINVAL);
        if (!read_sym(t, s, star ? star : end, &term->sym[term->nsym]))
            return false;
        term->nsym++;
    }
    return true;
}

static void poly(struct text *t, struct sum_poly *p)
{
    uint32_t cap = 0;
    text_must(t, "{");
    for (uint32_t i = 0; t->out && i < p->nterm; i++)
        write_term(t, &p->term[i]);
    while (!t->out && !text_begins(t, "}") && text_token(t) &&
           TEXT_ADD(t, p->term, p->nterm, &cap, SUM_MAX_TERM) && read_term(t, &p->term[p->nterm - 1]))
        ;
    text_must(t, "}");
}

static void ranges(struct text *t, struct sum_range **range, uint32_t *n)
{
    for (uint32_t i = 0, cap = 0; TEXT_MORE(t, "fits", *range, *n, i, cap, SUM_MAX_ITEM); i++) {
        text_either(t, "i", "u", &(*range)[i].is_signed);
        TEXT_NUMBER(t, (*range)[i].bits);
        poly(t, &(*range)[i].poly);
    }
}

/* ---- lines of a kernel ----------------------------------------------------------------------------- */

static void arg(struct text *t, struct sum_arg *a)
{
    text_string(t, &a->name);
    text_string(t, &a->type);
    TEXT_NAME(t, &sum_arg_kind_names, a->kind);
    TEXT_NAME(t, &sum_space_names, a->space);
    TEXT_NUMBER(t, a->size);
    text_either(t, "r", "-", &a->may_read);
    text_either(t, "w", "-", &a->may_write);
    TEXT_KEY(t, "gaps", a->gaps);
    text_flag(t, "restrict", &a->restricted);
    text_end_line(t);
}

static void three(struct text *t, const char *word, uint32_t v[3])
{
    if (!text_has(t, word, true))
        return;
    for (unsigned i = 0; i < 3; i++)
        TEXT_NUMBER(t, v[i]);
    text_end_line(t);
}

static void flags(struct text *t, struct kernel_summary *k)
{
    if (!text_has(t, "flags", true))
        return;
    text_flag(t, "relaxed", &k->relaxed_math);
    text_flag(t, "loose", &k->loose_math);
    text_flag(t, "atomics", &k->has_atomics);
    text_flag(t, "images", &k->has_images);
    text_flag(t, "barrier", &k->has_barrier);
    text_flag(t, "parts", &k->parts_at_loops);
    text_flag(t, "uniform", &k->needs_uniform);
    text_flag(t, "uneven", &k->uneven);
    text_flag(t, "group", &k->of_group);
    if (text_has(t, "ids", k->id_bits != 0)) {
        TEXT_NUMBER(t, k->id_bits);
        if (k->id_bits < 1 || k->id_bits > 31)
            text_fail(t, -EINVAL);
    }
    if (text_has(t, "flat", k->flat != 0)) {
        TEXT_NUMBER(t, k->flat);
        if (k->flat < 1 || k->flat > 7)
            text_fail(t, -EINVAL);
    }
    text_end_line(t);
}

static void signature(struct text *t, struct kernel_summary *k)
{
    text_string(t, &k->name);
    text_end_line(t);
    for (uint32_t i = 0, cap = 0; TEXT_MORE(t, "arg", k->args, k->nargs, i, cap, SUM_MAX_ITEM); i++)
        arg(t, &k->args[i]);
    three(t, "reqd", k->reqd);
    three(t, "hint", k->hint);
    TEXT_NUMBER_LINE(t, "local_bytes", k->local_bytes, true);
    TEXT_NUMBER_LINE(t, "private_bytes", k->private_bytes, true);
    TEXT_NUMBER_LINE(t, "registers", k->registers, true);
    flags(t, k);
    for (uint32_t i = 0, cap = 0; TEXT_MORE(t, "var", k->vars, k->nvars, i, cap, SUM_MAX_ITEM); i++) {
        text_string(t, &k->vars[i].name);
        TEXT_NAME(t, &sum_space_names, k->vars[i].space);
        TEXT_NUMBER(t, k->vars[i].bytes);
        text_end_line(t);
    }
    for (uint32_t i = 0, cap = 0; TEXT_MORE(t, "callee", k->callees, k->ncallees, i, cap, SUM_MAX_ITEM);
         i++) {
        text_string(t, &k->callees[i]);
        text_end_line(t);
    }
}

/* Growth bookkeeping of a body that is read. */
struct room {
    uint32_t insns, opnds, blocks;
};

static void operands(struct text *t, struct kernel_summary *k, struct sum_insn *in, struct room *cap)
{
    if (t->out) {
        for (uint32_t i = 0; i < in->nopnd; i++)
            TEXT_NUMBER(t, k->opnds[in->opnd + i]);
        return;
    }
    in->opnd = k->nopnd;
    while (!t->err && !text_at_eol(t) && TEXT_ADD(t, k->opnds, k->nopnd, &cap->opnds, SUM_MAX_OPND)) {
        TEXT_NUMBER(t, k->opnds[k->nopnd - 1]);
        in->nopnd++;
    }
}

/* Instruction v.  A missing `sub` becomes one that no op has. */
static void insn(struct text *t, struct kernel_summary *k, uint32_t v, struct room *cap)
{
    struct sum_insn *in = &k->insns[v];
    uint32_t id = v;
    TEXT_NUMBER(t, id);
    if (id != v)
        text_fail(t, -EINVAL);
    TEXT_NAME(t, &sum_op_names, in->op);
    if (sum_sub_names(in->op))
        text_key(t, "sub", sum_sub_names(in->op), &in->sub, sizeof(in->sub), UINT8_MAX);
    TEXT_KEY(t, "bits", in->bits);
    text_key(t, "x", NULL, &in->lanes, sizeof(in->lanes), 1);
    TEXT_KEY_NAME(t, "space", &sum_space_names, in->space);
    TEXT_KEY(t, "flags", in->flags);
    TEXT_KEY(t, "bytes", in->bytes);
    TEXT_KEY(t, "imm", in->imm);
    TEXT_KEY_NAME(t, "cls", &sum_class_names, in->cls);
    TEXT_KEY(t, "line", in->line);
    if (text_has(t, ":", in->nopnd != 0))
        operands(t, k, in, cap);
    else
        in->opnd = t->out ? in->opnd : k->nopnd;
    text_end_line(t);
}

static void write_body(struct text *t, struct kernel_summary *k)
{
    for (uint32_t v = 0; v < k->nleaf; v++)
        insn(t, k, v, NULL);
    for (uint32_t b = 0; b < k->nblock; b++) {
        text_must(t, "block");
        text_end_line(t);
        for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end; v++)
            insn(t, k, v, NULL);
    }
}

static void read_body(struct text *t, struct kernel_summary *k)
{
    struct room cap = {0};
    while (!t->err) {
        if (text_has(t, "block", false)) {
            if (!TEXT_ADD(t, k->blocks, k->nblock, &cap.blocks, SUM_MAX_INSN))
                return;
            k->blocks[k->nblock - 1].first = k->ninsn;
            text_end_line(t);
        } else if (!text_at_eol(t) && *t->p >= '0' && *t->p <= '9') {
            if (!TEXT_ADD(t, k->insns, k->ninsn, &cap.insns, SUM_MAX_INSN))
                return;
            insn(t, k, k->ninsn - 1, &cap);
        } else {
            return;
        }
        if (k->nblock)
            k->blocks[k->nblock - 1].end = k->ninsn;
        else
            k->nleaf = k->ninsn;
    }
}

static void fact(struct text *t, enum sum_fact f, struct sum_verdict *v)
{
    text_must(t, "fact");
    text_must(t, sum_fact_name(f));
    TEXT_NAME(t, &sum_reason_names, v->reason);
    TEXT_NUMBER(t, v->line);
    if (!text_has(t, "-", !v->detail))
        text_string(t, &v->detail);
    text_end_line(t);
}

static void loop(struct text *t, struct sum_loop *l)
{
    bool quotient = l->quotient != SUM_Q_NONE, power = l->quotient == SUM_Q_POWER,
         shift = l->quotient == SUM_Q_SHIFT;
    TEXT_NUMBER(t, l->header);
    text_flag(t, "bounded", &l->bounded);
    text_flag(t, "quotient", &quotient);
    if (quotient) {
        text_flag(t, "power", &power);
        text_flag(t, "shift", &shift);
        if (!t->out)
            l->quotient = power ? SUM_Q_POWER : shift ? SUM_Q_SHIFT : SUM_Q_DIVIDE;
    }
    TEXT_KEY(t, "ids", l->ids);
    text_key(t, "step", NULL, &l->step, sizeof(l->step), INT64_MIN); /* always there */
    text_must(t, "limit");
    poly(t, &l->limit);
    text_must(t, "step_poly");
    poly(t, &l->step_poly);
    ranges(t, &l->range, &l->nrange);
    text_end_line(t);
}

static bool another_guard(struct text *t, struct sum_access *a, uint32_t i, uint32_t *cap)
{
    if (t->out)
        return i < a->nguard;
    return !t->err && !text_at_eol(t) && TEXT_ADD(t, a->guard, a->nguard, cap, SUM_MAX_ITEM);
}

static void access_line(struct text *t, struct sum_access *a)
{
    TEXT_NAME(t, &sum_access_names, a->kind);
    TEXT_NUMBER(t, a->insn);
    TEXT_NUMBER(t, a->arg);
    TEXT_NUMBER(t, a->bytes);
    text_flag(t, "affine", &a->affine);
    if (!t->out)
        a->constant_value = text_begins(t, "constant=");
    if (a->constant_value)
        text_key(t, "constant", NULL, &a->constant, sizeof(a->constant), INT64_MIN);
    TEXT_KEY(t, "wrap", a->wrap_bits);
    for (uint32_t i = 0; t->out ? i < a->ncoord : i < 3 && text_begins(t, "{"); i++) {
        a->ncoord = t->out ? a->ncoord : i + 1;
        poly(t, &a->coord[i]);
    }
    ranges(t, &a->range, &a->nrange);
    for (uint32_t i = 0, cap = 0; another_guard(t, a, i, &cap); i++) {
        text_either(t, "eq", "lt", &a->guard[i].equal);
        poly(t, &a->guard[i].lhs);
        poly(t, &a->guard[i].rhs);
    }
    text_end_line(t);
}

static void undef_edge(struct text *t, struct sum_undef_edge *e)
{
    TEXT_NUMBER(t, e->from);
    if (text_has(t, "to", e->to != SUM_ANYWHERE))
        TEXT_NUMBER(t, e->to);
    else if (!t->out)
        e->to = SUM_ANYWHERE;
    text_flag(t, "first", &e->first);
    text_must(t, "line");
    TEXT_NUMBER(t, e->line);
    text_end_line(t);
}

/* A kernel without a body says nothing, so nothing may be claimed about it. */
static void check_kernel(struct text *t, const struct kernel_summary *k)
{
    bool claims = false;
    const char *why;
    for (unsigned i = 0; i < SUM_FACTS; i++)
        claims |= k->fact[i].reason == SUM_R_NONE;
    if (!t->err && ((k->nblock == 0 && claims) || sum_check(k, &why) != 0))
        text_fail(t, -EINVAL);
}

static void wide_line(struct text *t, struct sum_wide *w)
{
    bool offered = w->text != NULL;
    text_either(t, "offered", "refused", &offered);
    if (offered) {
        TEXT_NUMBER(t, w->lanes);
        TEXT_NUMBER(t, w->dimension);
        TEXT_NUMBER(t, w->id_bits);
        text_string(t, &w->kernel);
        text_string(t, &w->text);
    } else {
        text_string(t, &w->why);
    }
    if (!t->err && offered && ((w->lanes != 4 && w->lanes != 8 && w->lanes != 16) || w->dimension > 2))
        text_fail(t, -EINVAL);
    text_end_line(t);
}

static void kernel(struct text *t, struct kernel_summary *k, bool of_group);

/* The view of a group, which has none itself. */
static void group(struct text *t, struct kernel_summary *k)
{
    if (!t->out)
        k->group = calloc(1, sizeof *k->group);
    if (!k->group) {
        text_fail(t, -ENOMEM);
        return;
    }
    kernel(t, k->group, true);
    if (!t->err && k->group->nargs < k->nargs)
        text_fail(t, -EINVAL);
}

/* From behind "kernel" to "endkernel". */
static void kernel(struct text *t, struct kernel_summary *k, bool of_group)
{
    signature(t, k);
    if (!t->err && k->of_group != of_group)
        text_fail(t, -EINVAL);
    if (t->out)
        write_body(t, k);
    else
        read_body(t, k);
    for (unsigned i = 0; i < SUM_FACTS; i++)
        fact(t, i, &k->fact[i]);
    for (uint32_t i = 0, cap = 0; TEXT_MORE(t, "loop", k->loops, k->nloop, i, cap, SUM_MAX_ITEM); i++)
        loop(t, &k->loops[i]);
    for (uint32_t i = 0, cap = 0; TEXT_MORE(t, "access", k->access, k->naccess, i, cap, SUM_MAX_INSN); i++)
        access_line(t, &k->access[i]);
    for (uint32_t i = 0, cap = 0; TEXT_MORE(t, "open", k->undef, k->nundef, i, cap, SUM_MAX_ITEM); i++)
        undef_edge(t, &k->undef[i]);
    if (text_has(t, "wide", k->wide.text || k->wide.why))
        wide_line(t, &k->wide);
    if (!of_group && text_has(t, "group", k->group != NULL))
        group(t, k);
    text_must(t, "endkernel");
    if (!t->out)
        check_kernel(t, k);
    text_end_line(t);
}

/* ---- the file -------------------------------------------------------------------------------------- */

static void file(struct text *t, struct sum_file *f)
{
    uint64_t *const fields[] = {&f->dev, &f->ino, &f->size, &f->mtime_ns, &f->ctime_ns};
    text_string(t, &f->path);
    text_flag(t, "absent", &f->absent);
    for (size_t i = 0; !f->absent && i < sizeof(fields) / sizeof(*fields); i++)
        TEXT_NUMBER(t, *fields[i]);
    if (!t->err && f->path[0] != '/')
        text_fail(t, -EINVAL);
    text_end_line(t);
}

static void program(struct text *t, struct program_summary *p)
{
    if (text_has(t, "error", p->error != NULL)) {
        text_string(t, &p->error);
        text_end_line(t);
    }
    text_flag(t, "files", &p->files_known);
    if (p->files_known) {
        text_end_line(t);
        for (uint32_t i = 0, cap = 0; TEXT_MORE(t, "file", p->file, p->nfile, i, cap, SUM_MAX_FILE); i++)
            file(t, &p->file[i]);
    }
    for (uint32_t i = 0, cap = 0; TEXT_MORE(t, "kernel", p->kernel, p->nkernel, i, cap, SUM_MAX_KERNEL); i++)
        kernel(t, &p->kernel[i], false);
}

/* The first line: -ENOTSUP tells an honest file of another version from rubbish. */
static void magic(struct text *t)
{
    uint64_t version = SUM_VERSION;
    text_must(t, SUM_MAGIC);
    TEXT_NUMBER(t, version);
    if (!t->err && version != SUM_VERSION)
        text_fail(t, -ENOTSUP);
    text_end_line(t);
}

int sum_print(const struct program_summary *p, FILE *f)
{
    struct text t = text_writer(f);
    magic(&t);
    program(&t, (struct program_summary *)p); /* which is only looked at */
    text_putf(&t, "end %016" PRIx64 "\n", t.hash);
    return t.err || fflush(f) || ferror(f) ? -EIO : 0;
}

/* Check "end CHECKSUM\n" and cut it off.  The checksum guards against truncation and bit rot, not against
 * malice. */
static void check_end(struct text *t, const char *text)
{
    static const size_t tail = sizeof("end 0123456789abcdef\n") - 1;
    const char *last = t->end - tail;
    char expected[32];
    if (t->err || (size_t)(t->end - t->p) < tail || last[-1] != '\n') {
        text_fail(t, -EINVAL);
        return;
    }
    snprintf(expected, sizeof(expected), "end %016" PRIx64 "\n",
             hash64(HASH64_START, text, (size_t)(last - text)));
    if (memcmp(last, expected, tail) != 0)
        text_fail(t, -EINVAL);
    text_cut(t, last);
}

int sum_parse(const char *text, size_t size, struct program_summary *out, unsigned *line)
{
    struct program_summary p = {0};
    struct text t = text_reader(text, size);
    if (size > SUM_MAX_TEXT)
        text_fail(&t, -EINVAL);
    magic(&t);
    check_end(&t, text);
    if (!t.err)
        program(&t, &p);
    if (!t.err && t.p < t.end)
        text_fail(&t, -EINVAL);
    if (line)
        *line = t.line;
    if (t.err)
        sum_free(&p);
    else
        *out = p;
    return t.err;
}

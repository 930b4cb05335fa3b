/* summary_print.c - the text form of a summary.
 *
 *   clsizer-summary VERSION                            SUM_VERSION
 *   error "text"                                       instead of kernels, or beside them
 *   files                                              all files that matter follow, or there are none
 *   file "path" absent
 *   file "path" DEV INO SIZE MTIME_NS CTIME_NS
 *   kernel "name"
 *   arg "name" "type" KIND SPACE SIZE r|- w|-
 *   reqd X Y Z            hint X Y Z            local_bytes N   private_bytes N   registers N
 *   flags [relaxed] [atomics] [images] [barrier] [uniform] [uneven] [ids BITS]
 *   var "name" SPACE BYTES
 *   callee "name"
 *   ID OP [sub=S] [bits=N] [x=LANES] [space=S] [flags=N] [bytes=N] [imm=N] [cls=C] [line=N] [: OPERANDS]
 *   block                                              starts a block; what is before the first are leaves
 *   fact NAME REASON LINE -|"detail"                   all seven
 *   loop HEADER [bounded] [quotient [power|shift]] step=N limit {P} step_poly {P} RANGES
 *   access KIND INSN ARG BYTES [affine] [constant=N] [wrap=N] COORDS RANGES GUARDS
 *   open FROM [to TO] line LINE                        an edge on which a variable is undefined
 *   endkernel
 *   end CHECKSUM                                       FNV-1a 64 of all before, 16 hexadecimal digits
 *
 *   COORDS: {P}...    RANGES: [fits i|u BITS {P}]...    GUARDS: [lt|eq {P} {P}]...
 *   P: terms COEF[*SYM:INDEX]..., blank-separated; SYM "zarg" / "zuniform" for zero-extended ones
 *
 * Keys whose value is zero (lanes: one) are left out.  Strings are quoted; bytes outside
 * printable ASCII are \xHH. */
#include "analysis/summary/summary.h"

#include "analysis/summary/hash.h"
#include "analysis/summary/summary_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

struct out {
    FILE *f;
    uint64_t hash;
    bool failed;
};

static void put(struct out *o, const char *s, size_t n)
{
    o->hash = hash64(o->hash, s, n);
    if (fwrite(s, 1, n, o->f) != n)
        o->failed = true;
}

static void puts_out(struct out *o, const char *s)
{
    put(o, s, strlen(s));
}

__attribute__((format(printf, 2, 3))) static void putf(struct out *o, const char *fmt, ...)
{
    char buf[256]; /* callers print numbers and table words only */
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(buf, sizeof(buf), fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= sizeof(buf))
        o->failed = true;
    else
        put(o, buf, (size_t)n);
}

static void put_string(struct out *o, const char *s)
{
    puts_out(o, "\"");
    for (; s && *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            putf(o, "\\%c", c);
        else if (c == '\n')
            puts_out(o, "\\n");
        else if (c == '\t')
            puts_out(o, "\\t");
        else if (c < 0x20 || c >= 0x7f)
            putf(o, "\\x%02x", c);
        else
            put(o, s, 1);
    }
    puts_out(o, "\"");
}

static void put_poly(struct out *o, const struct sum_poly *p)
{
    puts_out(o, " {");
    for (uint32_t i = 0; i < p->nterm; i++) {
        const struct sum_term *t = &p->term[i];
        putf(o, " %" PRId64, t->coef);
        for (uint32_t j = 0; j < t->nsym; j++)
            putf(o, "*%s%s:%" PRIu32, t->sym[j].zext ? "z" : "", sum_word(&sum_sym_names, t->sym[j].kind),
                 t->sym[j].index);
    }
    puts_out(o, " }");
}

static void put_ranges(struct out *o, const struct sum_range *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        putf(o, " fits %s %u", r[i].is_signed ? "i" : "u", r[i].bits);
        put_poly(o, &r[i].poly);
    }
}

static void put_key(struct out *o, const char *key, int64_t value)
{
    if (value)
        putf(o, " %s=%" PRId64, key, value);
}

static void put_insn(struct out *o, const struct kernel_summary *k, uint32_t v)
{
    const struct sum_insn *in = &k->insns[v];
    const struct sum_names *sub = sum_sub_names(in->op);
    putf(o, "%" PRIu32 " %s", v, sum_word(&sum_op_names, in->op));
    if (sub)
        putf(o, " sub=%s", sum_word(sub, in->sub));
    put_key(o, "bits", in->bits);
    if (in->lanes != 1)
        putf(o, " x=%u", in->lanes);
    if (in->space)
        putf(o, " space=%s", sum_word(&sum_space_names, in->space));
    put_key(o, "flags", in->flags);
    put_key(o, "bytes", in->bytes);
    put_key(o, "imm", in->imm);
    if (in->cls)
        putf(o, " cls=%s", sum_word(&sum_class_names, in->cls));
    put_key(o, "line", in->line);
    if (in->nopnd)
        puts_out(o, " :");
    for (uint32_t i = 0; i < in->nopnd; i++)
        putf(o, " %" PRIu32, sum_opnd(k, v, i));
    puts_out(o, "\n");
}

static void put_signature(struct out *o, const struct kernel_summary *k)
{
    puts_out(o, "kernel ");
    put_string(o, k->name);
    puts_out(o, "\n");
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct sum_arg *a = &k->args[i];
        puts_out(o, "arg ");
        put_string(o, a->name);
        puts_out(o, " ");
        put_string(o, a->type);
        putf(o, " %s %s %" PRIu32 " %c %c\n", sum_word(&sum_arg_kind_names, a->kind),
             sum_word(&sum_space_names, a->space), a->size, a->may_read ? 'r' : '-',
             a->may_write ? 'w' : '-');
    }
    putf(o, "reqd %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", k->reqd[0], k->reqd[1], k->reqd[2]);
    putf(o, "hint %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", k->hint[0], k->hint[1], k->hint[2]);
    putf(o, "local_bytes %" PRIu64 "\nprivate_bytes %" PRIu64 "\nregisters %" PRIu32 "\n", k->local_bytes,
         k->private_bytes, k->registers);
    putf(o, "flags%s%s%s%s%s%s", k->relaxed_math ? " relaxed" : "", k->has_atomics ? " atomics" : "",
         k->has_images ? " images" : "", k->has_barrier ? " barrier" : "", k->needs_uniform ? " uniform" : "",
         k->uneven ? " uneven" : "");
    if (k->id_bits)
        putf(o, " ids %u", (unsigned)k->id_bits);
    puts_out(o, "\n");
    for (uint32_t i = 0; i < k->nvars; i++) {
        puts_out(o, "var ");
        put_string(o, k->vars[i].name);
        putf(o, " %s %" PRIu64 "\n", sum_word(&sum_space_names, k->vars[i].space), k->vars[i].bytes);
    }
    for (uint32_t i = 0; i < k->ncallees; i++) {
        puts_out(o, "callee ");
        put_string(o, k->callees[i]);
        puts_out(o, "\n");
    }
}

static void put_body(struct out *o, const struct kernel_summary *k)
{
    for (uint32_t v = 0; v < k->nleaf; v++)
        put_insn(o, k, v);
    for (uint32_t b = 0; b < k->nblock; b++) {
        puts_out(o, "block\n");
        for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end; v++)
            put_insn(o, k, v);
    }
}

static void put_access(struct out *o, const struct sum_access *a)
{
    putf(o, "access %s %" PRIu32 " %" PRIu32 " %" PRIu32, sum_word(&sum_access_names, a->kind), a->insn,
         a->arg, a->bytes);
    if (a->affine)
        puts_out(o, " affine");
    if (a->constant_value)
        putf(o, " constant=%" PRId64, a->constant);
    put_key(o, "wrap", a->wrap_bits);
    for (uint32_t i = 0; i < a->ncoord && i < 3; i++)
        put_poly(o, &a->coord[i]);
    put_ranges(o, a->range, a->nrange);
    for (uint32_t i = 0; i < a->nguard; i++) {
        puts_out(o, a->guard[i].equal ? " eq" : " lt");
        put_poly(o, &a->guard[i].lhs);
        put_poly(o, &a->guard[i].rhs);
    }
    puts_out(o, "\n");
}

static void put_facts(struct out *o, const struct kernel_summary *k)
{
    for (unsigned i = 0; i < SUM_FACTS; i++) {
        const struct sum_verdict *v = &k->fact[i];
        putf(o, "fact %s %s %" PRIu32 " ", sum_fact_name(i), sum_reason_name(v->reason), v->line);
        if (v->detail)
            put_string(o, v->detail);
        else
            puts_out(o, "-");
        puts_out(o, "\n");
    }
    for (uint32_t i = 0; i < k->nloop; i++) {
        const struct sum_loop *l = &k->loops[i];
        static const char *const quotient[] = {"", " quotient", " quotient power", " quotient shift"};
        putf(o, "loop %" PRIu32 "%s%s step=%" PRId64 " limit", l->header, l->bounded ? " bounded" : "",
             quotient[l->quotient], l->step);
        put_poly(o, &l->limit);
        puts_out(o, " step_poly");
        put_poly(o, &l->step_poly);
        put_ranges(o, l->range, l->nrange);
        puts_out(o, "\n");
    }
    for (uint32_t i = 0; i < k->naccess; i++)
        put_access(o, &k->access[i]);
    for (uint32_t i = 0; i < k->nundef; i++) {
        const struct sum_undef_edge *w = &k->undef[i];
        putf(o, "open %" PRIu32, w->from);
        if (w->to != SUM_ANYWHERE)
            putf(o, " to %" PRIu32, w->to);
        putf(o, " line %" PRIu32 "\n", w->line);
    }
}

static void put_files(struct out *o, const struct program_summary *p)
{
    if (p->files_known)
        puts_out(o, "files\n");
    for (uint32_t i = 0; p->files_known && i < p->nfile; i++) {
        const struct sum_file *f = &p->file[i];
        puts_out(o, "file ");
        put_string(o, f->path);
        if (f->absent)
            puts_out(o, " absent\n");
        else
            putf(o, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", f->dev, f->ino, f->size,
                 f->mtime_ns, f->ctime_ns);
    }
}

int sum_print(const struct program_summary *p, FILE *f)
{
    struct out o = {.f = f, .hash = HASH64_START};
    putf(&o, SUM_MAGIC " %d\n", SUM_VERSION);
    if (p->error) {
        puts_out(&o, "error ");
        put_string(&o, p->error);
        puts_out(&o, "\n");
    }
    put_files(&o, p);
    for (uint32_t i = 0; i < p->nkernel; i++) {
        put_signature(&o, &p->kernel[i]);
        put_body(&o, &p->kernel[i]);
        put_facts(&o, &p->kernel[i]);
        puts_out(&o, "endkernel\n");
    }
    putf(&o, "end %016" PRIx64 "\n", o.hash);
    return o.failed || fflush(f) || ferror(f) ? -EIO : 0;
}

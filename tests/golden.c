/* golden.c - `clsizer-analyze --summary FILE | golden`: kernels compactly, for the golden tests: what the
 * source means, not how LLVM expressed it.
 *
 * There is one line per subject, with names sorted and operations counted, so that versions of LLVM which
 * agree about the meaning print the same.  Integer arithmetic is left out, because every version of
 * instcombine expresses it differently. */
#include "analysis/summary/summary_names.h"

#include <stdlib.h>
#include <string.h>

struct tally {
    struct {
        char *name;
        uint32_t count;
    } * item;
    uint32_t n;
};

static void count(struct tally *t, const char *name, uint32_t by)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (!strcmp(t->item[i].name, name)) {
            t->item[i].count += by;
            return;
        }
    t->item = realloc(t->item, (t->n + 1) * sizeof *t->item);
    if (!t->item)
        abort();
    t->item[t->n].name = strdup(name);
    t->item[t->n++].count = by;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Prints and empties the tally. */
static void flush(struct tally *t, const char *subject, FILE *f)
{
    if (t->n) {
        qsort(t->item, t->n, sizeof *t->item, by_name);
        fprintf(f, "  %s:", subject);
        for (uint32_t i = 0; i < t->n; i++) {
            fprintf(f, " %s", t->item[i].name);
            if (t->item[i].count > 1)
                fprintf(f, "*%u", t->item[i].count);
            free(t->item[i].name);
        }
        fputc('\n', f);
    }
    free(t->item);
    *t = (struct tally){0};
}

static void print_arguments(const struct kernel_summary *k, FILE *f)
{
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct sum_arg *a = &k->args[i];
        fprintf(f, "  arg %s: %s, %s, %s, %u bytes%s%s%s\n", a->name, a->type,
                sum_word(&sum_arg_kind_names, a->kind), sum_word(&sum_space_names, a->space), a->size,
                a->may_read ? ", read" : "", a->may_write ? ", written" : "",
                a->restricted ? ", restrict" : "");
    }
}

static void print_sizes(const struct kernel_summary *k, FILE *f)
{
    if (k->reqd[0])
        fprintf(f, "  required: %u %u %u\n", k->reqd[0], k->reqd[1], k->reqd[2]);
    if (k->hint[0])
        fprintf(f, "  hint: %u %u %u\n", k->hint[0], k->hint[1], k->hint[2]);
    if (k->local_bytes)
        fprintf(f, "  local: %llu bytes\n", (unsigned long long)k->local_bytes);
    if (k->private_bytes)
        fprintf(f, "  private: %llu bytes\n", (unsigned long long)k->private_bytes);
}

static void print_work_items(const struct kernel_summary *k, FILE *f)
{
    struct tally t = {0};
    char name[64];

    for (uint32_t i = 0; i < k->nleaf; i++) {
        const struct sum_insn *insn = &k->insns[i];
        if (insn->op != SUM_WI)
            continue;
        snprintf(name, sizeof name, "%s(%d)", sum_word(&sum_wi_names, insn->sub), (int)insn->imm);
        count(&t, name, 1);
    }
    flush(&t, "work-item", f);
}

/* One memory operation or other effect as a word; false for what golden tests do not look at. */
static bool effect_name(const struct kernel_summary *k, const struct sum_insn *insn, char *name, size_t size)
{
    const char *space = sum_word(&sum_space_names, insn->space);

    switch (insn->op) {
    case SUM_LOAD:
    case SUM_STORE:
        snprintf(name, size, "%s%s.%s.%u", insn->flags & SUM_F_VOLATILE ? "volatile-" : "",
                 insn->op == SUM_LOAD ? "load" : "store", space, insn->bytes);
        return true;
    case SUM_ATOMIC:
        snprintf(name, size, "atomic-%s.%s.%u%s", sum_word(&sum_atomic_names, insn->sub), space, insn->bytes,
                 insn->flags & SUM_F_UNUSED ? ".unused" : "");
        return true;
    case SUM_IMAGE_READ:
        snprintf(name, size, "image-read.%ud", insn->nopnd - 1);
        return true;
    case SUM_IMAGE_WRITE:
        snprintf(name, size, "image-write.%ud", insn->nopnd - 2);
        return true;
    case SUM_CALL:
        snprintf(name, size, "call-%s", k->callees[insn->imm]);
        return true;
    case SUM_PURE:
        snprintf(name, size, "%s.%u",
                 insn->flags & SUM_F_UNDEF      ? "open-conversion"
                 : insn->flags & SUM_F_NAN_BITS ? "nan-bits"
                                                : "punned",
                 insn->bits / 8u);
        return insn->flags & (SUM_F_UNDEF | SUM_F_NAN_BITS | SUM_F_PUNNED);
    case SUM_FENCE:
    case SUM_BARRIER:
    case SUM_PRINTF:
    case SUM_SWITCH:
        snprintf(name, size, "%s", sum_word(&sum_op_names, insn->op));
        return true;
    default:
        return false;
    }
}

static void print_effects(const struct kernel_summary *k, FILE *f)
{
    struct tally t = {0}, costs = {0};
    char name[160];

    for (uint32_t i = k->nleaf; i < k->ninsn; i++) {
        const struct sum_insn *insn = &k->insns[i];
        if (effect_name(k, insn, name, sizeof name))
            count(&t, name, 1);
        if (insn->cls >= SUM_C_FADD && insn->cls <= SUM_C_SPECIAL)
            count(&costs, sum_word(&sum_class_names, insn->cls), insn->lanes);
    }
    flush(&t, "effects", f);
    flush(&costs, "cost", f);
}

static void print_facts(const struct kernel_summary *k, FILE *f)
{
    fputs("  proved:", f);
    for (unsigned i = 0; i < SUM_FACTS; i++)
        if (sum_proved(k, i))
            fprintf(f, " %s", sum_fact_name(i));
    fputc('\n', f);
    for (unsigned i = 0; i < SUM_FACTS; i++)
        if (!sum_proved(k, i))
            fprintf(f, "  not %s: %s\n", sum_fact_name(i), sum_reason_name(k->fact[i].reason));
    if (k->parts_at_loops)
        fprintf(f, "  work-items part around or behind a loop\n");
    if (k->id_bits)
        fprintf(f, "  ids below: 2^%u\n", (unsigned)k->id_bits);
    if (k->nundef)
        fprintf(f, "  edges with an undefined value: %u\n", k->nundef);
}

/* Arguments, sizes, work-item functions, effects and facts. */
static void print_kernel(const struct kernel_summary *k, FILE *f)
{
    fprintf(f, "kernel %s\n", k->name);
    print_arguments(k, f);
    print_sizes(k, f);
    print_work_items(k, f);
    print_effects(k, f);
    print_facts(k, f);
}

int main(void)
{
    struct program_summary p;
    char *text = NULL;
    size_t size = 0;
    const ssize_t n = getdelim(&text, &size, 0, stdin);
    const int e = sum_parse(n > 0 ? text : "", n > 0 ? (size_t)n : 0, &p, NULL);

    free(text);
    if (e) {
        printf("no summary: %s\n", strerror(-e));
        return 1;
    }
    if (p.error)
        printf("error: %s\n", p.error);
    for (uint32_t i = 0; !p.error && i < p.nkernel; i++)
        print_kernel(&p.kernel[i], stdout);
    sum_free(&p);
    return fflush(stdout) || ferror(stdout) ? 1 : 0;
}

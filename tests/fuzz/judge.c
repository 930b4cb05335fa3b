/* judge SUMMARY < LAUNCHES - what is proved about launches of a summary's kernels, for soundness.py.
 *
 * A launch is a line: KERNEL DIM, then nine numbers (global sizes, offsets, local sizes; local sizes of 0 for
 * none), then one word per argument: "s:HEX" scalar bytes in memory order, "b:MEMORY:OFFSET:BYTES" buffer,
 * "l:BYTES" local memory.  The answer is a line: for each of S, O0, O1, O2, I, A a letter or '-', then the
 * reason why S is not proved. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "select/select.h"

#define MAX_ARGS 32

static char *read_all(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long end = -1;
    if (f && fseek(f, 0, SEEK_END) == 0 && (end = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0)
        text = malloc((size_t)end + 1);
    if (text && fread(text, 1, (size_t)end, f) != (size_t)end) {
        free(text);
        text = NULL;
    }
    if (f)
        fclose(f);
    *size = text ? (size_t)end : 0;
    return text;
}

static bool parse_scalar(const char *hex, struct launch_arg *a)
{
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2) {
        if (a->size == sizeof a->value)
            return false;
        a->value[a->size++] = (uint8_t)byte;
    }
    return a->size > 0;
}

static bool parse_arg(const char *word, struct launch_arg *a)
{
    *a = (struct launch_arg){.set = true};
    switch (word[0]) {
    case 's':
        return parse_scalar(word + 2, a);
    case 'b':
        a->size = sizeof(void *);
        return sscanf(word + 2, "%" SCNu64 ":%" SCNu64 ":%" SCNu64, &a->memory, &a->offset, &a->bytes) == 3;
    case 'l':
        return sscanf(word + 2, "%" SCNu32, &a->size) == 1;
    default:
        return false;
    }
}

static bool parse_launch(char *line, const char **name, struct launch *l,
                         struct launch_arg args[static MAX_ARGS])
{
    char *at = NULL;
    size_t *number[] = {&l->global[0], &l->global[1], &l->global[2], &l->offset[0], &l->offset[1],
                        &l->offset[2], &l->local[0],  &l->local[1],  &l->local[2]};
    const char *word = strtok_r(line, " \n", &at);
    *name = word;
    word = word ? strtok_r(NULL, " \n", &at) : NULL;
    *l = (struct launch){.dim = word ? (unsigned)strtoul(word, NULL, 10) : 0, .args = args};
    for (unsigned i = 0; i < 9; i++) {
        word = strtok_r(NULL, " \n", &at);
        if (!word)
            return false;
        *number[i] = strtoull(word, NULL, 10);
    }
    while ((word = strtok_r(NULL, " \n", &at)))
        if (l->nargs == MAX_ARGS || !parse_arg(word, &args[l->nargs++]))
            return false;
    return l->dim > 0;
}

static void print_proof(const struct sel_proof *p)
{
    printf("%c%c%c%c%c%c %s %s\n", p->size.proven ? 'S' : '-', p->slice[0].proven ? '0' : '-',
           p->slice[1].proven ? '1' : '-', p->slice[2].proven ? '2' : '-', p->idempotent.proven ? 'I' : '-',
           p->order_free.proven ? 'A' : '-', sel_reason_name(p->size.reason), p->size.detail);
}

int main(int argc, char **argv)
{
    struct program_summary p;
    size_t size, room = 0;
    char *text = argc > 1 ? read_all(argv[1], &size) : NULL, *line = NULL;
    int status = 0;
    if (!text || sum_parse(text, size, &p, NULL)) {
        fputs("judge: no summary\n", stderr);
        free(text);
        return 2;
    }
    free(text);
    while (status == 0 && getline(&line, &room, stdin) > 0) {
        struct launch_arg args[MAX_ARGS];
        const char *name;
        struct launch l;
        struct sel_proof proof;
        const struct kernel_summary *k = parse_launch(line, &name, &l, args) ? sum_find(&p, name) : NULL;
        if (!k) {
            fputs("judge: a launch that cannot be read\n", stderr);
            status = 2;
            break;
        }
        sel_judge(k, &l, &proof);
        print_proof(&proof);
    }
    free(line);
    sum_free(&p);
    return status;
}

/* memory.c - from lane addresses to transactions ([L] 4.2.3, [C] 3.3.2) and bank conflicts ([R] Alg. 6.1). */
#include "select/trace/trace.h"

static void sort_addresses(uint64_t *a, unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        uint64_t x = a[i];
        unsigned j = i;
        if (a[i - 1] <= x)
            continue;
        for (; j > 0 && a[j - 1] > x; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
}

/* Most lines and banks are powers of two; a division takes as long as all else here. */
static uint64_t over(uint64_t v, uint32_t d)
{
    return d & (d - 1) ? v / d : v >> __builtin_ctz(d);
}

unsigned memory_lines(uint64_t *addr, unsigned n, uint32_t bytes, uint32_t line, uint64_t *first,
                      unsigned room, int64_t *step)
{
    unsigned lines = 0;
    uint64_t last = 0, prev = 0;
    bool regular = true;
    *step = 0;
    sort_addresses(addr, n);
    for (unsigned i = 0; i < n; i++) {
        uint64_t from = over(addr[i], line), to = over(addr[i] + (bytes ? bytes - 1 : 0), line);
        for (uint64_t l = lines && from <= last ? last + 1 : from; l <= to; l++) {
            uint64_t at = l == from ? addr[i] : l * line;
            int64_t gap = (int64_t)(at - prev);
            if (lines == 1)
                *step = gap;
            else if (lines > 1 && gap != *step && gap / (int64_t)line != *step / (int64_t)line)
                regular = false;
            prev = at;
            last = l;
            if (lines < room)
                first[lines] = at;
            lines++;
        }
    }
    if (!regular)
        *step = 0;
    return lines;
}

unsigned memory_conflicts(uint64_t *addr, unsigned n, uint32_t bytes, uint32_t banks, uint32_t bank_bytes)
{
    uint16_t words[64] = {0};
    unsigned worst = n ? 1 : 0;
    uint64_t last = 0;
    bool any = false;
    if (banks == 0 || bank_bytes == 0)
        return worst;
    banks = banks < 64 ? banks : 64;
    sort_addresses(addr, n);
    for (unsigned i = 0; i < n; i++) {
        uint64_t from = over(addr[i], bank_bytes), to = over(addr[i] + (bytes ? bytes - 1 : 0), bank_bytes);
        for (uint64_t w = any && from <= last ? last + 1 : from; w <= to; w++) {
            const unsigned bank = (unsigned)(w - over(w, banks) * banks);
            words[bank]++;
            worst = words[bank] > worst ? words[bank] : worst;
            last = w;
            any = true;
        }
    }
    return worst;
}

unsigned memory_collisions(const uint64_t *addr, unsigned n, uint32_t banks, uint32_t bank_bytes)
{
    uint16_t lanes[64] = {0};
    unsigned worst = n ? 1 : 0;
    for (unsigned i = 0; i < n && banks && bank_bytes; i++) {
        uint16_t *here = &lanes[addr[i] / bank_bytes % (banks < 64 ? banks : 64)];
        worst = ++*here > worst ? *here : worst;
    }
    return worst;
}

/* On a CPU a vector load is one transaction per line only where the lanes are consecutive, in either order,
 * or equal; any other pattern is a gather: one per lane. */
static bool is_gather(const uint64_t *addr, unsigned n, uint32_t bytes)
{
    bool equal = true, upwards = true, downwards = true;
    for (unsigned i = 1; i < n; i++) {
        equal = equal && addr[i] == addr[0];
        upwards = upwards && addr[i] == addr[i - 1] + bytes;
        downwards = downwards && addr[i] + bytes == addr[i - 1];
    }
    return !equal && !upwards && !downwards;
}

uint32_t memory_root(const struct kernel_summary *k, uint32_t pointer)
{
    for (unsigned i = 0; i < 64; i++) {
        const struct sum_insn *in = &k->insns[pointer];
        if (in->op == SUM_ARG || in->op == SUM_VAR || in->op == SUM_ALLOCA)
            return pointer;
        if ((in->op != SUM_PTRADD && in->op != SUM_PHI && in->op != SUM_SELECT) || in->nopnd < 2)
            return CFG_NONE;
        pointer = k->opnds[in->opnd + (in->op == SUM_PTRADD ? 0 : 1)];
    }
    return CFG_NONE;
}

/* Where `addr` is in a buffer that is stored transposed. */
static uint64_t transposed(const struct trace_layout *y, uint64_t base, uint64_t addr)
{
    const int64_t at = (int64_t)(addr - base), row = (int64_t)y->row;
    const int64_t r = at / row - (at % row < 0);
    const uint64_t in = (uint64_t)(at - r * row);
    return base + (in / y->element * y->rows + (uint64_t)r) * y->element + in % y->element;
}

static unsigned gather_addresses(struct trace_prog *p, uint32_t ptr, uint64_t mask, uint64_t *addr)
{
    const struct value *v = &p->value[p->slot[ptr]];
    const int64_t *lane = exec_lanes(p, p->slot[ptr]);
    const struct trace_layout *y = p->transposed;
    const uint32_t root = y ? memory_root(p->k, ptr) : CFG_NONE;
    unsigned n = 0;
    for (uint64_t left = mask & v->known; left; left &= left - 1)
        addr[n++] = (uint64_t)(v->uniform ? v->all : lane[__builtin_ctzll(left)]);
    if (root != CFG_NONE && p->k->insns[root].op == SUM_ARG && p->k->insns[root].imm == y->arg)
        for (unsigned i = 0; i < n; i++)
            addr[i] = transposed(y, p->arg_base[y->arg], addr[i]);
    return n;
}

/* Bytes of the buffer that a pointer leads to, or 0. */
static uint64_t root_bytes(const struct trace_prog *p, uint32_t pointer)
{
    uint32_t root = memory_root(p->k, pointer);
    const struct sum_insn *in = root == CFG_NONE ? NULL : &p->k->insns[root];
    if (in && in->op == SUM_ARG && (uint64_t)in->imm < p->l->nargs)
        return p->l->args[in->imm].bytes;
    return in && in->op == SUM_VAR ? p->k->vars[in->imm].bytes : 0;
}

#define MOST_LINES (4 * TRACE_LANES) /* of the widest vector type's lanes on the shortest lines */

static unsigned locate(struct trace_prog *p, struct trace_entry *e, uint64_t *addr, unsigned n,
                       uint32_t bytes)
{
    const struct device *d = p->d;
    if (e->mem == TRACE_LOCAL) {
        bool atomic = p->k->insns[e->insn].op == SUM_ATOMIC;
        unsigned degree = atomic ? memory_collisions(addr, n, d->local_banks, d->local_bank_bytes)
                                 : memory_conflicts(addr, n, bytes, d->local_banks, d->local_bank_bytes);
        e->addr = addr[0];
        return degree;
    }
    bool gather = d->is_cpu && is_gather(addr, n, bytes);
    uint64_t first[MOST_LINES];
    const uint32_t line = d->line_bytes ? d->line_bytes : 64;
    unsigned count = memory_lines(addr, n, bytes, line, first, MOST_LINES, &e->step);
    if (gather)
        count = n;
    e->addr = addr[0];
    const unsigned last = count < MOST_LINES ? count - 1 : MOST_LINES - 1; /* of those kept */
    if (count > 1 && gather)
        e->step = (int64_t)((addr[n - 1] - addr[0]) / (count - 1));
    else if (count > 1 && e->step == 0) /* lines do not lie nearer than that, however they are touched */
        e->step = (int64_t)((first[last] / line - first[0] / line) * line / last);
    for (unsigned j = 0, some = trace_lines(count); j < some; j++) {
        const unsigned i = j * (last + 1) / some;
        e->at[j] = (uint32_t)(gather ? e->step * (int64_t)i : (int64_t)(first[i] - e->addr));
    }
    return count < UINT16_MAX ? count : UINT16_MAX;
}

void memory_append(struct trace_prog *p, const struct trace_entry *e)
{
    struct trace *t = p->out;
    if (p->muted || t->nentry >= TRACE_ENTRIES)
        return;
    t->entry[t->nentry++] = *e;
}

void memory_access(struct trace_prog *p, uint32_t v, uint64_t mask)
{
    const struct sum_insn *in = &p->k->insns[v];
    bool write = in->op != SUM_LOAD;
    uint32_t ptr = p->k->opnds[in->opnd];
    struct trace_entry e = {
        .insn = v, .write = write, .lanes = (uint16_t)__builtin_popcountll(mask), .mask = mask};
    e.mem = in->space == SUM_LOCAL ? TRACE_LOCAL : in->space == SUM_CONSTANT ? TRACE_CONSTANT : TRACE_GLOBAL;
    uint64_t addr[TRACE_LANES];
    unsigned n = gather_addresses(p, ptr, mask, addr);
    struct trace_counts *c = &p->out->sum;
    if (n == e.lanes && n > 0) {
        e.lines = (uint16_t)locate(p, &e, addr, n, in->bytes);
    } else { /* worst case: every lane its own line, every word in one bank */
        e.unknown = true;
        e.lines = e.lanes;
        e.extent = root_bytes(p, ptr);
        if (e.mem == TRACE_GLOBAL) {
            c->unknown += e.lines;
            c->unknown_extent += (double)e.extent * e.lines;
        }
    }
    c->lane_accesses[e.mem][write] += e.lanes;
    c->lane_bytes[e.mem][write] += (double)e.lanes * in->bytes;
    c->accesses[e.mem][write]++;
    c->transactions[e.mem][write] += e.lines;
    c->hidden_loads[e.mem] += write ? 0 : 1 - 1 / (double)p->mlp[p->access[v]];
    memory_append(p, &e);
}

/* ---- images ---------------------------------------------------------------------------------------- */

#define TEXEL_BYTES 4 /* assumed where the size of the image does not tell: four channels of a byte */

/* How an image lies in memory: drivers do not tell.  Assumed: as many texels in a row as the range is wide,
 * rows one after another on a CPU, tiles of one cache line and nearly square on a GPU. */
struct layout {
    uint64_t texel, width, height, tile_x, tile_y;
};

static struct layout layout_of(const struct trace_prog *p, uint32_t arg)
{
    const struct device *d = p->d;
    const size_t *n = p->l->global;
    struct layout y = {TEXEL_BYTES, n[0] + p->l->offset[0], n[1] + p->l->offset[1], 1, 1};
    uint64_t each = arg < p->l->nargs ? p->l->args[arg].bytes / n[0] / n[1] / n[2] : 0;
    if (each == 1 || each == 2 || each == 4 || each == 8 || each == 16)
        y.texel = each;
    for (uint64_t texels = d->is_cpu ? 1 : d->line_bytes / y.texel; texels > 1; texels /= 2)
        *(y.tile_x > y.tile_y ? &y.tile_y : &y.tile_x) *= 2;
    return y;
}

static uint64_t texel_at(const struct layout *y, const int64_t c[3])
{
    uint64_t across = (y->width + y->tile_x - 1) / y->tile_x, down = (y->height + y->tile_y - 1) / y->tile_y;
    uint64_t at[3];
    for (unsigned i = 0; i < 3; i++)
        at[i] = c[i] > 0 ? (uint64_t)c[i] & UINT32_MAX : 0; /* clamped, or the border's one colour */
    uint64_t tile = (at[2] * down + at[1] / y->tile_y) * across + at[0] / y->tile_x;
    uint64_t inside = at[1] % y->tile_y * y->tile_x + at[0] % y->tile_x;
    return (tile * y->tile_x * y->tile_y + inside) * y->texel;
}

void memory_image(struct trace_prog *p, uint32_t v, uint64_t mask)
{
    const struct sum_insn *in = &p->k->insns[v];
    const uint32_t *o = &p->k->opnds[in->opnd];
    uint32_t first = in->op == SUM_IMAGE_READ ? 1 : 2, arg = (uint32_t)p->k->insns[o[0]].imm;
    struct trace_entry e = {.insn = v, .mem = TRACE_IMAGE, .write = in->op == SUM_IMAGE_WRITE, .mask = mask};
    struct layout y = layout_of(p, arg);
    uint64_t addr[TRACE_LANES];
    for (unsigned i = 0; i < p->lanes; i++) {
        int64_t c[3] = {0};
        if (!(mask >> i & 1))
            continue;
        for (uint32_t j = first; j < in->nopnd && j - first < 3; j++) {
            if (!exec_known(p, o[j], i))
                return;
            c[j - first] = exec_get(p, o[j], i);
        }
        addr[e.lanes++] = p->arg_base[arg] + texel_at(&y, c);
    }
    struct trace_counts *c = &p->out->sum;
    e.lines = (uint16_t)locate(p, &e, addr, e.lanes, (uint32_t)y.texel);
    c->lane_accesses[TRACE_IMAGE][e.write] += e.lanes;
    c->lane_bytes[TRACE_IMAGE][e.write] += (double)(e.lanes * y.texel);
    c->accesses[TRACE_IMAGE][e.write]++;
    c->transactions[TRACE_IMAGE][e.write] += e.lines;
    memory_append(p, &e);
}

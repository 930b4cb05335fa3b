/* test_execute.c - the proofs against execution: random kernels with branches, loops and private memory are
 * run item by item, and whatever was proved about them must be seen to hold.
 *
 *   S      the same work-item does the same under another local size
 *   O(d)   ... and as part of a sub-range with a global offset
 *   U      branches do not change with memory contents; a loop runs equally often for all who enter it
 *   access offsets are congruent to their polynomials, loop bounds and guards are kept, launch-wide values
 * are
 */
#include "summary_text.h"

#include "analysis/cfg.h"

#define MAX_INSN  600
#define MAX_OPND  2000
#define MAX_BLOCK 200
#define MAX_EVENT 4000
#define MAX_STEPS 3000

__extension__ typedef __int128 wide;

static uint32_t rnd(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

static uint64_t cut(uint64_t x, unsigned bits)
{
    return bits >= 64 ? x : x & ((1ull << bits) - 1);
}

static int64_t sign(uint64_t x, unsigned bits)
{
    return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

/* ---- random kernels -------------------------------------------------------------------------------- */

struct gen {
    struct kernel_summary k;
    uint64_t seed;
    uint32_t avail[MAX_INSN], navail; /* integer values that dominate the current place */
    uint32_t buffer[2], array;        /* leaves: a, b, a private array */
    uint32_t c4, c8, c7, c1, c1_32;
    unsigned depth;
};

static uint32_t emit(struct gen *g, struct sum_insn in, unsigned n, const uint32_t *opnds)
{
    struct kernel_summary *k = &g->k;
    in.opnd = k->nopnd;
    in.nopnd = n;
    in.lanes = 1;
    for (unsigned i = 0; i < n; i++)
        k->opnds[k->nopnd++] = opnds[i];
    k->insns[k->ninsn] = in;
    return k->ninsn++;
}

static uint32_t emit2(struct gen *g, unsigned op, unsigned sub, unsigned bits, uint32_t a, uint32_t b)
{
    return emit(g, (struct sum_insn){.op = (uint8_t)op, .sub = (uint8_t)sub, .bits = (uint8_t)bits}, 2,
                (uint32_t[]){a, b});
}

static uint32_t begin_block(struct gen *g)
{
    g->k.blocks[g->k.nblock].first = g->k.ninsn;
    return g->k.nblock++;
}

static uint32_t end_block(struct gen *g, unsigned op, unsigned n, const uint32_t *opnds)
{
    uint32_t v = emit(g, (struct sum_insn){.op = (uint8_t)op}, n, opnds);
    g->k.blocks[g->k.nblock - 1].end = g->k.ninsn;
    return g->k.insns[v].opnd;
}

static uint32_t push(struct gen *g, uint32_t v)
{
    g->avail[g->navail++] = v;
    return v;
}

/* A value of this width, recent ones first. */
static uint32_t pick(struct gen *g, unsigned bits)
{
    for (;;) {
        uint32_t back = rnd(&g->seed) % (rnd(&g->seed) % 2 && g->navail > 6 ? 6 : g->navail);
        uint32_t v = g->avail[g->navail - 1 - back];
        unsigned from = g->k.insns[v].bits;
        if (from == bits)
            return v;
        if (rnd(&g->seed) % 3 == 0) {
            unsigned op = bits < from ? SUM_TRUNC : rnd(&g->seed) % 2 ? SUM_SEXT : SUM_ZEXT;
            return push(g, emit(g, (struct sum_insn){.op = (uint8_t)op, .bits = (uint8_t)bits}, 1, &v));
        }
    }
}

static unsigned width(struct gen *g)
{
    return rnd(&g->seed) % 2 ? 64 : 32;
}

static void gen_op(struct gen *g)
{
    static const uint8_t ops[] = {SUM_ADD,  SUM_ADD, SUM_ADD, SUM_MUL, SUM_MUL,  SUM_SUB, SUM_UDIV,
                                  SUM_UREM, SUM_AND, SUM_OR,  SUM_XOR, SUM_UMIN, SUM_SMAX};
    unsigned w = width(g), op = ops[rnd(&g->seed) % sizeof(ops)];
    uint32_t a = pick(g, w), b = pick(g, w);
    if (rnd(&g->seed) % 8 == 0) {
        uint32_t c = emit2(g, SUM_ICMP, rnd(&g->seed) % 10, 1, a, b);
        push(g, emit(g, (struct sum_insn){.op = SUM_SELECT, .bits = (uint8_t)w}, 3,
                     (uint32_t[]){c, a, pick(g, w)}));
    } else {
        push(g, emit2(g, op, 0, w, a, b));
    }
}

/* The global id as careful and careless programmers write it. */
static void gen_idiom(struct gen *g)
{
    uint32_t id[6];
    static const uint8_t wi[] = {SUM_WI_GROUP_ID, SUM_WI_LOCAL_SIZE, SUM_WI_LOCAL_ID, SUM_WI_GLOBAL_OFFSET};
    unsigned d = rnd(&g->seed) % 2;
    for (unsigned i = 0; i < 4; i++)
        for (uint32_t v = 0; v < g->k.nleaf; v++)
            if (g->k.insns[v].op == SUM_WI && g->k.insns[v].sub == wi[i] && g->k.insns[v].imm == d)
                id[i] = v;
    uint32_t x = push(g, emit2(g, SUM_MUL, 0, 64, id[0], id[1]));
    x = push(g, emit2(g, SUM_ADD, 0, 64, x, id[2]));
    if (rnd(&g->seed) % 2)
        x = push(g, emit2(g, SUM_ADD, 0, 64, x, id[3]));
}

/* mul24() and a select, half of the selects between neighbours; a store at one of them. */
static void gen_choice(struct gen *g)
{
    unsigned w = width(g), wc = width(g);
    uint32_t c = emit2(g, SUM_ICMP, rnd(&g->seed) % 10, 1, pick(g, wc), pick(g, wc));
    uint32_t a = pick(g, w), b = rnd(&g->seed) % 2 ? pick(g, w) : emit2(g, SUM_ADD, 0, w, a, pick(g, w));
    uint32_t chosen =
        push(g, emit(g, (struct sum_insn){.op = SUM_SELECT, .bits = (uint8_t)w}, 3, (uint32_t[]){c, a, b}));
    struct sum_insn product = {.op = SUM_MUL, .bits = 32, .flags = SUM_F_24};
    product.flags |= rnd(&g->seed) % 2 ? SUM_F_UNSIGNED : 0;
    uint32_t p = push(g, emit(g, product, 2, (uint32_t[]){pick(g, 32), pick(g, 32)}));
    struct sum_insn wide = {.op = rnd(&g->seed) % 2 ? SUM_SEXT : SUM_ZEXT, .bits = 64};
    p = push(g, emit(g, wide, 1, &p));
    p = emit2(g, SUM_MUL, 0, 64, w == 64 && rnd(&g->seed) % 2 ? chosen : p, g->c4);
    struct sum_insn add = {.op = SUM_PTRADD, .bits = 64, .space = SUM_GLOBAL};
    p = emit(g, add, 2, (uint32_t[]){g->buffer[1], p});
    emit(g, (struct sum_insn){.op = SUM_STORE, .bytes = 4, .space = SUM_GLOBAL}, 2,
         (uint32_t[]){p, pick(g, 32)});
}

static uint32_t gen_address(struct gen *g, uint32_t base, bool masked)
{
    uint32_t i = pick(g, 64);
    if (masked)
        i = emit2(g, SUM_AND, 0, 64, i, g->c7);
    i = emit2(g, SUM_MUL, 0, 64, i, masked ? g->c8 : g->c4);
    return emit(g,
                (struct sum_insn){.op = SUM_PTRADD, .bits = 64, .space = masked ? SUM_PRIVATE : SUM_GLOBAL},
                2, (uint32_t[]){base, i});
}

static void gen_memory(struct gen *g)
{
    bool private = rnd(&g->seed) % 3 == 0, load = rnd(&g->seed) % 2;
    unsigned w = private ? 64 : width(g), which = load ? rnd(&g->seed) % 4 == 0 : 1;
    struct sum_insn in = {.op = load ? SUM_LOAD : SUM_STORE, .bytes = w / 8, .bits = load ? (uint8_t)w : 0};
    in.space = private ? SUM_PRIVATE : SUM_GLOBAL;
    uint32_t p = gen_address(g, private ? g->array : g->buffer[which], private);
    if (load)
        push(g, emit(g, in, 1, &p));
    else
        emit(g, in, 2, (uint32_t[]){p, pick(g, w)});
}

static void gen_region(struct gen *g, unsigned n);

static void gen_if(struct gen *g)
{
    unsigned w = width(g), wm = width(g);
    uint32_t a = pick(g, w), b = pick(g, w), ends[2], val[2], to_join[2], keep = g->navail;
    uint32_t c = emit2(g, SUM_ICMP, rnd(&g->seed) % 10, 1, a, b);
    val[1] = pick(g, wm);
    keep = g->navail;
    uint32_t br = end_block(g, SUM_CONDBR, 3, (uint32_t[]){c, 0, 0});
    ends[1] = g->k.nblock - 1;
    bool both = rnd(&g->seed) % 2;
    for (unsigned side = 0; side < (both ? 2u : 1u); side++) {
        g->k.opnds[br + 1 + side] = begin_block(g);
        gen_region(g, 1 + rnd(&g->seed) % 3);
        val[side] = pick(g, wm);
        to_join[side] = end_block(g, SUM_BR, 1, (uint32_t[]){0});
        ends[side] = g->k.nblock - 1;
        g->navail = keep;
    }
    uint32_t join = begin_block(g);
    for (unsigned side = 0; side < 2; side++)
        g->k.opnds[side == 0 || both ? to_join[side] : br + 2] = join;
    push(g, emit(g, (struct sum_insn){.op = SUM_PHI, .bits = (uint8_t)wm}, 4,
                 (uint32_t[]){ends[0], val[0], ends[1], val[1]}));
}

static void gen_loop(struct gen *g)
{
    static const uint8_t preds[] = {SUM_SLT, SUM_ULT, SUM_SLT, SUM_ULT, SUM_SLE,
                                    SUM_ULE, SUM_NE,  SUM_SGT, SUM_UGT};
    unsigned w = width(g), wa = width(g);
    uint32_t init = pick(g, w), bound = pick(g, w), acc0 = pick(g, wa), step = w == 64 ? g->c1 : g->c1_32;
    if (rnd(&g->seed) % 2)
        bound = push(g, emit2(g, SUM_ADD, 0, w, init, emit2(g, SUM_MUL, 0, w, step, step)));
    if (rnd(&g->seed) % 3 == 0)
        step = pick(g, w);
    uint32_t before = g->k.nblock - 1;
    end_block(g, SUM_BR, 1, (uint32_t[]){g->k.nblock});
    uint32_t head = begin_block(g);
    uint32_t i = push(g, emit(g, (struct sum_insn){.op = SUM_PHI, .bits = (uint8_t)w}, 4,
                              (uint32_t[]){before, init, 0, 0}));
    uint32_t acc = push(g, emit(g, (struct sum_insn){.op = SUM_PHI, .bits = (uint8_t)wa}, 4,
                                (uint32_t[]){before, acc0, 0, 0}));
    if (rnd(&g->seed) % 4 == 0)
        gen_memory(g); /* before the test */
    uint32_t c = emit2(g, SUM_ICMP, preds[rnd(&g->seed) % sizeof(preds)], 1, i, bound), keep = g->navail;
    uint32_t br = end_block(g, SUM_CONDBR, 3, (uint32_t[]){c, g->k.nblock, 0});
    begin_block(g);
    gen_region(g, 1 + rnd(&g->seed) % 4);
    uint32_t next = emit2(g, rnd(&g->seed) % 4 ? SUM_ADD : SUM_SUB, 0, w, i, step), acc1 = pick(g, wa);
    if (rnd(&g->seed) % 4 == 0) { /* a break */
        uint32_t d = emit2(g, SUM_ICMP, rnd(&g->seed) % 10, 1, pick(g, 32), pick(g, 32));
        uint32_t out = end_block(g, SUM_CONDBR, 3, (uint32_t[]){d, 0, g->k.nblock});
        begin_block(g);
        end_block(g, SUM_BR, 1, &head);
        g->k.opnds[out + 1] = g->k.nblock;
    } else {
        end_block(g, SUM_BR, 1, &head);
    }
    for (unsigned j = 0; j < 2; j++) {
        uint32_t *o = &g->k.opnds[g->k.insns[j ? acc : i].opnd];
        o[2] = g->k.nblock - 1;
        o[3] = j ? acc1 : next;
    }
    g->navail = keep;
    g->k.opnds[br + 2] = begin_block(g);
}

static void gen_region(struct gen *g, unsigned n)
{
    g->depth++;
    for (unsigned i = 0; i < n && g->k.ninsn < MAX_INSN - 150; i++) {
        unsigned what = rnd(&g->seed) % 13;
        if (what < 5)
            gen_op(g);
        else if (what < 6)
            gen_idiom(g);
        else if (what < 9)
            gen_memory(g);
        else if (what == 12)
            gen_choice(g);
        else if (g->depth > 3)
            gen_op(g);
        else if (what < 11)
            gen_if(g);
        else
            gen_loop(g);
    }
    g->depth--;
}

static void gen_leaves(struct gen *g, bool tame)
{
    static const uint8_t wi[] = {SUM_WI_GLOBAL_ID,  SUM_WI_GLOBAL_SIZE, SUM_WI_GLOBAL_OFFSET, SUM_WI_LOCAL_ID,
                                 SUM_WI_LOCAL_SIZE, SUM_WI_GROUP_ID,    SUM_WI_NUM_GROUPS};
    static const int8_t consts[] = {0, 1, -1, 2, 3, 8};
    for (unsigned i = 0; i < 2; i++)
        g->buffer[i] =
            emit(g, (struct sum_insn){.op = SUM_ARG, .bits = 64, .space = SUM_GLOBAL, .imm = i}, 0, NULL);
    g->array = emit(g, (struct sum_insn){.op = SUM_ALLOCA, .bits = 64, .imm = 64}, 0, NULL);
    push(g, emit(g, (struct sum_insn){.op = SUM_ARG, .bits = 32, .imm = 2}, 0, NULL));
    push(g, emit(g, (struct sum_insn){.op = SUM_ARG, .bits = 64, .imm = 3}, 0, NULL));
    for (unsigned i = 0; i < sizeof(wi); i++)
        for (unsigned d = 0; d < 2; d++) {
            uint32_t v =
                emit(g, (struct sum_insn){.op = SUM_WI, .sub = wi[i], .bits = 64, .imm = d}, 0, NULL);
            if (i == 0 || !tame) /* a tame kernel sees the others through the idiom alone */
                push(g, v);
        }
    for (unsigned i = 0; i < sizeof(consts); i++)
        for (unsigned w = 32; w <= 64; w += 32)
            push(g,
                 emit(g, (struct sum_insn){.op = SUM_CONST, .bits = (uint8_t)w, .imm = consts[i]}, 0, NULL));
    g->c1_32 = emit(g, (struct sum_insn){.op = SUM_CONST, .bits = 32, .imm = 1}, 0, NULL);
    g->c1 = emit(g, (struct sum_insn){.op = SUM_CONST, .bits = 64, .imm = 1}, 0, NULL);
    g->c4 = emit(g, (struct sum_insn){.op = SUM_CONST, .bits = 64, .imm = 4}, 0, NULL);
    g->c7 = emit(g, (struct sum_insn){.op = SUM_CONST, .bits = 64, .imm = 7}, 0, NULL);
    g->c8 = emit(g, (struct sum_insn){.op = SUM_CONST, .bits = 64, .imm = 8}, 0, NULL);
    g->k.nleaf = g->k.ninsn;
}

static void generate(struct gen *g, uint64_t seed)
{
    static const uint8_t kinds[] = {SUM_ARG_BUFFER, SUM_ARG_BUFFER, SUM_ARG_SCALAR, SUM_ARG_SCALAR};
    static const uint8_t sizes[] = {8, 8, 4, 8};
    memset(g, 0, sizeof(*g));
    g->seed = seed;
    g->k.name = strdup("k");
    g->k.nargs = 4;
    g->k.args = calloc(4, sizeof(*g->k.args));
    for (unsigned i = 0; i < 4; i++) {
        g->k.args[i].kind = kinds[i];
        g->k.args[i].size = sizes[i];
        g->k.args[i].space = i < 2 ? SUM_GLOBAL : SUM_PRIVATE;
    }
    g->k.insns = calloc(MAX_INSN, sizeof(*g->k.insns));
    g->k.opnds = calloc(MAX_OPND, sizeof(*g->k.opnds));
    g->k.blocks = calloc(MAX_BLOCK, sizeof(*g->k.blocks));
    gen_leaves(g, rnd(&g->seed) % 4 != 0);
    begin_block(g);
    gen_region(g, 2 + rnd(&g->seed) % 8);
    gen_memory(g);
    end_block(g, SUM_RET, 0, NULL);
}

/* ---- execution ------------------------------------------------------------------------------------- */

struct event {
    uint32_t insn;
    uint64_t a, b; /* address and value; branch: target */
};

struct run {
    const struct kernel_summary *k;
    const struct cfg *cfg;
    uint64_t gid[2], gsize[2], offset[2], lsize[2], arg[2], contents; /* contents: what memory holds */
    uint64_t value[MAX_INSN], array[8], trips[MAX_BLOCK]; /* trips: completed iterations, per loop */
    uint32_t way[MAX_BLOCK];                              /* block -> where control last came from */
    unsigned guess;                                       /* how selects chose, a bit per entry of loops */
    struct event event[MAX_EVENT];
    unsigned nevent, steps;
    bool too_long, first;            /* first: of the launch itself, not of a variation */
    uint64_t loop_log[MAX_EVENT][3]; /* loop, hash of the iterations around it, iterations */
    unsigned nloop_log;
};

static uint64_t hash(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
}

static uint64_t leaf_value(const struct run *r, uint32_t v)
{
    const struct sum_insn *in = &r->k->insns[v];
    unsigned d = (unsigned)in->imm & 1;
    uint64_t rel = r->gid[d] - r->offset[d];
    if (in->op == SUM_CONST)
        return cut((uint64_t)in->imm, in->bits);
    if (in->op == SUM_ARG)
        return in->imm < 2 ? 0 : cut(r->arg[in->imm - 2], in->bits); /* buffers: the offset into them */
    if (in->op != SUM_WI)
        return 0;
    switch (in->sub) {
    case SUM_WI_GLOBAL_ID:
        return r->gid[d];
    case SUM_WI_GLOBAL_SIZE:
        return r->gsize[d];
    case SUM_WI_GLOBAL_OFFSET:
        return r->offset[d];
    case SUM_WI_LOCAL_ID:
        return rel % r->lsize[d];
    case SUM_WI_LOCAL_SIZE:
        return r->lsize[d];
    case SUM_WI_GROUP_ID:
        return rel / r->lsize[d];
    default:
        return r->gsize[d] / r->lsize[d];
    }
}

static bool compare(unsigned pred, uint64_t a, uint64_t b, unsigned w)
{
    int64_t x = sign(a, w), y = sign(b, w);
    const bool result[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, x<y, x <= y, x> y, x >= y};
    return result[pred];
}

/* mul24(): outside its range anything, here always the same. */
static uint64_t multiply24(const struct sum_insn *in, uint64_t a, uint64_t b)
{
    int64_t x = sign(a, 32), y = sign(b, 32), top = 1 << 23;
    bool fits = in->flags & SUM_F_UNSIGNED ? a >> 24 == 0 && b >> 24 == 0
                                           : x >= -top && x < top && y >= -top && y < top;
    return cut(fits ? a * b : hash(a * 3 + b), 32);
}

static uint64_t compute(const struct run *r, uint32_t v)
{
    const struct sum_insn *in = &r->k->insns[v];
    uint64_t a = r->value[sum_opnd(r->k, v, 0)], b = in->nopnd > 1 ? r->value[sum_opnd(r->k, v, 1)] : 0;
    unsigned w = in->bits, from = r->k->insns[sum_opnd(r->k, v, 0)].bits;
    switch (in->op) {
    case SUM_ADD:
    case SUM_PTRADD:
        return cut(a + b, w);
    case SUM_SUB:
        return cut(a - b, w);
    case SUM_MUL:
        return in->flags & SUM_F_24 ? multiply24(in, a, b) : cut(a * b, w);
    case SUM_UDIV:
        return b ? a / b : 0;
    case SUM_UREM:
        return b ? a % b : a;
    case SUM_AND:
        return a & b;
    case SUM_OR:
        return a | b;
    case SUM_XOR:
        return a ^ b;
    case SUM_UMIN:
        return a < b ? a : b;
    case SUM_SMAX:
        return sign(a, w) > sign(b, w) ? a : b;
    case SUM_ICMP:
        return compare(in->sub, a, b, from);
    case SUM_SELECT:
        return a ? b : r->value[sum_opnd(r->k, v, 2)];
    case SUM_SEXT:
        return cut((uint64_t)sign(a, from), w);
    case SUM_TRUNC:
        return cut(a, w);
    default:
        return a;
    }
}

static void check_access(struct run *r, uint32_t v, uint64_t address);

static void memory(struct run *r, uint32_t v)
{
    const struct sum_insn *in = &r->k->insns[v];
    uint64_t address = r->value[sum_opnd(r->k, v, 0)];
    bool load = in->op == SUM_LOAD;
    if (in->space == SUM_PRIVATE) {
        uint64_t *cell = &r->array[address / 8 % 8];
        if (load)
            r->value[v] = *cell;
        else
            *cell = r->value[sum_opnd(r->k, v, 1)];
        return;
    }
    if (load)
        r->value[v] = cut(hash(address ^ r->contents) >> (hash(address) & 1 ? 60 : 0), in->bits);
    if (r->nevent < MAX_EVENT)
        r->event[r->nevent++] = (struct event){v, address, load ? 0 : r->value[sum_opnd(r->k, v, 1)]};
    check_access(r, v, address);
}

/* Follow an edge: phis all at once, and the loops' counters. */
static void enter(struct run *r, uint32_t from, uint32_t to)
{
    const struct kernel_summary *k = r->k;
    uint64_t next[MAX_INSN];
    uint32_t v = k->blocks[to].first;
    for (; k->insns[v].op == SUM_PHI; v++)
        for (uint32_t i = 0; i < k->insns[v].nopnd; i += 2)
            if (sum_opnd(k, v, i) == from)
                next[v] = r->value[sum_opnd(k, v, i + 1)];
    for (uint32_t p = k->blocks[to].first; p < v; p++)
        r->value[p] = next[p];
    for (uint32_t l = 0; l < r->cfg->nloop; l++) {
        bool was = cfg_in_loop(r->cfg, l, from), is = cfg_in_loop(r->cfg, l, to);
        if (was && !is && r->nloop_log < MAX_EVENT) {
            uint64_t around = 0;
            for (uint32_t o = 0; o < r->cfg->nloop; o++)
                if (o != l && cfg_in_loop(r->cfg, o, r->cfg->loop[l].header))
                    around = hash(around ^ (o << 20) ^ r->trips[o]);
            uint64_t *log = r->loop_log[r->nloop_log++];
            log[0] = l;
            log[1] = around;
            log[2] = r->trips[l];
        }
        if (r->cfg->loop[l].header == to)
            r->trips[l] = was ? r->trips[l] + 1 : 0;
    }
    r->way[to] = from;
}

static void execute(struct run *r)
{
    const struct kernel_summary *k = r->k;
    uint32_t b = 0;
    r->nevent = r->steps = r->nloop_log = 0;
    r->too_long = false;
    memset(r->array, 0, sizeof(r->array));
    for (uint32_t v = 0; v < k->nleaf; v++)
        r->value[v] = leaf_value(r, v);
    for (;;) {
        uint32_t t = k->blocks[b].end - 1, to = CFG_NONE;
        for (uint32_t v = k->blocks[b].first; v < t; v++)
            if (k->insns[v].op == SUM_LOAD || k->insns[v].op == SUM_STORE)
                memory(r, v);
            else if (k->insns[v].op != SUM_PHI)
                r->value[v] = compute(r, v);
        r->steps += t - k->blocks[b].first + 1;
        r->too_long = r->steps > MAX_STEPS || r->nevent == MAX_EVENT;
        if (k->insns[t].op == SUM_RET || r->too_long)
            return;
        if (k->insns[t].op == SUM_BR) {
            to = sum_opnd(k, t, 0);
        } else {
            to = sum_opnd(k, t, r->value[sum_opnd(k, t, 0)] ? 1 : 2);
            r->event[r->nevent++] = (struct event){t, to, 0};
        }
        enter(r, b, to);
        b = to;
    }
}

/* ---- what the accesses claim ----------------------------------------------------------------------- */

/* Selects of which a place may depend; more are told apart only by luck. */
#define GUESSES 6
static unsigned seen_affine, seen_bound, seen_conditional, seen_guard, seen_uniform, seen_choice,
    seen_refuted;
static uint64_t uniform_value[MAX_INSN];
static bool uniform_known[MAX_INSN];

static uint64_t trips_of(const struct run *r, uint32_t entry)
{
    for (uint32_t l = 0; l < r->cfg->nloop; l++)
        if (r->cfg->loop[l].header == r->k->loops[entry].header)
            return r->trips[l];
    uint32_t b = r->k->loops[entry].header, i = r->cfg->pred_first[b];
    seen_choice++;
    if (b == 0) /* of a select: the summary does not say which */
        return r->guess >> entry % GUESSES & 1;
    ck_assert_uint_eq(r->cfg->pred_first[b + 1] - i, 2);
    uint32_t first = r->cfg->pred[i] < r->cfg->pred[i + 1] ? r->cfg->pred[i] : r->cfg->pred[i + 1];
    return r->way[b] != first;
}

static int64_t symbol(const struct run *r, const struct sum_sym *s)
{
    switch (s->kind) {
    case SUM_SYM_GID:
        return (int64_t)r->gid[s->index];
    case SUM_SYM_OFFSET:
        return (int64_t)r->offset[s->index];
    case SUM_SYM_GSIZE:
        return (int64_t)r->gsize[s->index];
    case SUM_SYM_ARG:
        return s->zext ? (int64_t)cut(r->arg[s->index - 2], 8 * r->k->args[s->index].size)
                       : sign(r->arg[s->index - 2], 8 * r->k->args[s->index].size);
    case SUM_SYM_LOOP:
        return (int64_t)trips_of(r, s->index);
    default:
        if (!r->first)
            return sign(r->value[s->index], r->k->insns[s->index].bits);
        if (!uniform_known[s->index])
            uniform_value[s->index] = r->value[s->index];
        uniform_known[s->index] = true;
        ck_assert_uint_eq(uniform_value[s->index], r->value[s->index]);
        seen_uniform++;
        return sign(r->value[s->index], r->k->insns[s->index].bits);
    }
}

/* Over the integers; false if it exceeds 126 bits. */
static bool evaluate(const struct run *r, const struct sum_poly *p, wide *out, uint64_t *modular)
{
    bool fits = true;
    *out = 0;
    *modular = 0;
    for (uint32_t i = 0; i < p->nterm; i++) {
        wide t = p->term[i].coef;
        uint64_t m = (uint64_t)p->term[i].coef;
        for (uint32_t j = 0; j < p->term[i].nsym; j++) {
            int64_t s = symbol(r, &p->term[i].sym[j]);
            fits &= !__builtin_mul_overflow(t, (wide)s, &t);
            m *= (uint64_t)s;
        }
        fits &= !__builtin_add_overflow(*out, t, out);
        *modular += m;
    }
    return fits;
}

static bool in_range(const struct run *r, const struct sum_range *g)
{
    wide x, one = 1;
    uint64_t m;
    if (!evaluate(r, &g->poly, &x, &m))
        return false;
    return g->is_signed ? x >= -(one << (g->bits - 1)) && x < one << (g->bits - 1)
                        : x >= 0 && x < one << g->bits;
}

static void check_bound(const struct run *r, uint32_t entry)
{
    const struct sum_loop *l = &r->k->loops[entry];
    wide limit, step = l->step;
    uint64_t m, trips = trips_of(r, entry);
    if ((!l->bounded && l->step == 0 && l->step_poly.nterm == 0) || !evaluate(r, &l->limit, &limit, &m))
        return;
    if (l->step_poly.nterm && !evaluate(r, &l->step_poly, &step, &m))
        return;
    if (step <= 0)
        return;
    for (uint32_t i = 0; i < l->nrange; i++)
        if (!in_range(r, &l->range[i]))
            return;
    if (l->bounded && (limit < 0 || limit >= ((wide)1 << 31) - step))
        return;
    ck_assert(trips == 0 || (wide)trips * step < limit); /* behind a loop that did not run limit may be < 0 */
    seen_bound += l->bounded;
    seen_conditional += !l->bounded;
}

static void check_loops(const struct run *r, const struct sum_poly *p)
{
    for (uint32_t i = 0; i < p->nterm; i++)
        for (uint32_t j = 0; j < p->term[i].nsym; j++)
            if (p->term[i].sym[j].kind == SUM_SYM_LOOP)
                check_bound(r, p->term[i].sym[j].index);
}

/* Does p depend on how a select chose? */
static bool mentions_select(const struct run *r, const struct sum_poly *p)
{
    for (uint32_t i = 0; i < p->nterm; i++)
        for (uint32_t j = 0; j < p->term[i].nsym; j++)
            if (p->term[i].sym[j].kind == SUM_SYM_LOOP && r->k->loops[p->term[i].sym[j].index].header == 0)
                return true;
    return false;
}

/* The access is where its polynomial says, for one way in which selects may have chosen.  False if the
 * conditions of the access do not hold for all of them, as the launch demands. */
static bool place_agrees(struct run *r, const struct sum_access *a, uint64_t address)
{
    wide x;
    uint64_t m;
    bool held = true;
    bool guess = mentions_select(r, &a->coord[0]);
    for (uint32_t i = 0; i < a->nrange; i++)
        guess = guess || mentions_select(r, &a->range[i].poly);
    for (r->guess = 0; r->guess < (guess ? 1u << GUESSES : 1); r->guess++) {
        bool good = true;
        for (uint32_t i = 0; i < a->nrange; i++)
            good = good && in_range(r, &a->range[i]);
        held = held && good;
        evaluate(r, &a->coord[0], &x, &m);
        if (good && cut(m, a->wrap_bits) == cut(address, a->wrap_bits))
            return true;
    }
    seen_refuted += !held;
    ck_assert(!held);
    return false;
}

static void check_access(struct run *r, uint32_t v, uint64_t address)
{
    const struct kernel_summary *k = r->k;
    uint32_t arg = CFG_NONE, p = sum_opnd(k, v, 0);
    bool listed = false, load = k->insns[v].op == SUM_LOAD;
    while (k->insns[p].op == SUM_PTRADD)
        p = sum_opnd(k, p, 0);
    arg = (uint32_t)k->insns[p].imm;
    ck_assert(load ? k->args[arg].may_read : k->args[arg].may_write);
    for (uint32_t i = 0; i < k->naccess; i++) {
        const struct sum_access *a = &k->access[i];
        wide x, y;
        uint64_t m, n;
        if (a->insn != v)
            continue;
        ck_assert_uint_eq(a->arg, arg);
        listed = true;
        if (!a->affine)
            continue;
        if (!place_agrees(r, a, address))
            continue;
        check_loops(r, &a->coord[0]);
        seen_affine++;
        for (uint32_t g = 0; g < a->nguard; g++) {
            if (mentions_select(r, &a->guard[g].lhs) || mentions_select(r, &a->guard[g].rhs))
                continue; /* no launch relies on them */
            check_loops(r, &a->guard[g].lhs);
            check_loops(r, &a->guard[g].rhs);
            if (!evaluate(r, &a->guard[g].lhs, &x, &m) || !evaluate(r, &a->guard[g].rhs, &y, &n) || x < 0 ||
                y < 0 || x >= (wide)1 << 31 || y >= (wide)1 << 31)
                continue;
            ck_assert(a->guard[g].equal ? x == y : x < y);
            seen_guard++;
        }
    }
    ck_assert(listed || !k->args[arg].may_write);
}

/* ---- what the facts claim -------------------------------------------------------------------------- */

static bool is_branch(const struct run *r, const struct event *e)
{
    return r->k->insns[e->insn].op == SUM_CONDBR;
}

/* Same places touched, same values stored, in the same order. */
static bool same_effects(const struct run *x, const struct run *y)
{
    unsigned i = 0, j = 0;
    for (;; i++, j++) {
        while (i < x->nevent && is_branch(x, &x->event[i]))
            i++;
        while (j < y->nevent && is_branch(y, &y->event[j]))
            j++;
        if (i == x->nevent || j == y->nevent)
            return i == x->nevent && j == y->nevent;
        if (x->event[i].insn != y->event[j].insn || x->event[i].a != y->event[j].a ||
            x->event[i].b != y->event[j].b)
            return false;
    }
}

static bool same_branches(const struct run *x, const struct run *y)
{
    unsigned i = 0, j = 0;
    for (;; i++, j++) {
        while (i < x->nevent && !is_branch(x, &x->event[i]))
            i++;
        while (j < y->nevent && !is_branch(y, &y->event[j]))
            j++;
        if (i == x->nevent || j == y->nevent)
            return i == x->nevent && j == y->nevent;
        if (x->event[i].insn != y->event[j].insn || x->event[i].a != y->event[j].a)
            return false;
    }
}

static bool same_trips(const struct run *x, const struct run *y)
{
    for (unsigned i = 0; i < x->nloop_log; i++)
        for (unsigned j = 0; j < y->nloop_log; j++)
            if (x->loop_log[i][0] == y->loop_log[j][0] && x->loop_log[i][1] == y->loop_log[j][1] &&
                x->loop_log[i][2] != y->loop_log[j][2])
                return false;
    return true;
}

static void random_launch(struct run *r, uint64_t *seed)
{
    static const uint64_t offsets[] = {0, 0, 24, 0x7ffffff0, 0xfffffff0, (uint64_t)5 << 40};
    for (unsigned d = 0; d < 2; d++) {
        r->gsize[d] = 24 * (1 + rnd(seed) % 3);
        r->lsize[d] = 1u << rnd(seed) % 4;
        r->offset[d] = offsets[rnd(seed) % 6];
    }
    for (unsigned i = 0; i < 2; i++)
        r->arg[i] = rnd(seed) % 4 ? rnd(seed) % 20 : (uint64_t)rnd(seed) << (rnd(seed) % 30);
    r->contents = rnd(seed);
}

static void random_item(struct run *r, uint64_t *seed)
{
    for (unsigned d = 0; d < 2; d++)
        r->gid[d] = r->offset[d] + rnd(seed) % r->gsize[d];
}

static unsigned proved[SUM_FACTS], programs;

static void judge(const struct kernel_summary *k, struct run *x, struct run *y, uint64_t *seed)
{
    static const uint64_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 24};
    random_item(x, seed);
    x->first = true;
    execute(x);
    x->first = false;
    if (x->too_long)
        return;
    *y = *x;
    y->lsize[0] = sizes[rnd(seed) % 8];
    y->lsize[1] = sizes[rnd(seed) % 8];
    execute(y);
    if (sum_proved(k, SUM_FACT_S))
        ck_assert(same_effects(x, y));
    for (unsigned d = 0; d < 2; d++) {
        *y = *x;
        uint64_t part = (x->gid[d] - x->offset[d]) / x->lsize[d] * x->lsize[d];
        part -= rnd(seed) % (part / x->lsize[d] + 1) * x->lsize[d];
        y->offset[d] += part;
        y->gsize[d] -= part;
        execute(y);
        if (sum_proved(k, SUM_FACT_O0 + d))
            ck_assert(same_effects(x, y));
    }
    if (!sum_proved(k, SUM_FACT_U))
        return;
    *y = *x;
    y->contents = rnd(seed);
    execute(y);
    ck_assert(same_branches(x, y));
    *y = *x;
    random_item(y, seed);
    execute(y);
    ck_assert(y->too_long || same_trips(x, y));
}

START_TEST(test_execute)
{
    static struct gen g;
    static struct run x, y;
    uint64_t seed = 1000 + (uint64_t)_i;
    for (int round = 0; round < 120; round++) {
        const char *why = "";
        struct cfg c;
        generate(&g, seed * 1000003 + (uint64_t)round);
        ck_assert_msg(sum_check(&g.k, &why) == 0, "%s", why);
        ck_assert_int_eq(sum_derive_facts(&g.k), 0);
        ck_assert_msg(sum_check(&g.k, &why) == 0, "%s", why);
        ck_assert_int_eq(cfg_build(&g.k, &c), 0);
        for (unsigned f = 0; f < SUM_FACTS; f++)
            proved[f] += sum_proved(&g.k, f);
        programs++;
        x.k = &g.k;
        x.cfg = &c;
        for (int launch = 0; launch < 6; launch++) {
            random_launch(&x, &seed);
            memset(uniform_known, 0, sizeof(uniform_known));
            for (int item = 0; item < 4; item++)
                judge(&g.k, &x, &y, &seed);
        }
        cfg_free(&c);
        sum_free_kernel(&g.k);
    }
    /* the test must not pass for want of claims */
    ck_assert_uint_gt(proved[SUM_FACT_S], programs / 20);
    ck_assert_uint_gt(proved[SUM_FACT_O0], programs / 20);
    ck_assert_uint_gt(proved[SUM_FACT_U], programs / 20);
    ck_assert_uint_gt(seen_affine, 100);
    ck_assert_uint_gt(seen_bound + seen_conditional, 10);
    ck_assert_uint_gt(seen_guard, 10);
    ck_assert_uint_gt(seen_uniform, 10);
    ck_assert_uint_gt(seen_choice, 10);
    ck_assert_uint_gt(seen_refuted, 10);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("execute");
    TCase *t = tcase_create("execute");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, test_execute, 0, 6);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}

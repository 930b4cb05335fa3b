/* sel_disjoint: random launches against an enumeration of all accesses. */
#include "disjoint_fixture.h"
#include "run_suite.h"

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t draw(uint64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (seed >> 11) % n;
}

enum { CELLS = 1 << 16 };

/* What touched one byte. */
struct cell {
    uint64_t addr;
    unsigned stamp; /* cell is in use by this round */
    int item;       /* first work-item */
    bool several, written, plain;
    uint32_t families; /* instructions of the atomics */
};
static struct cell cells[CELLS];
static unsigned stamp;

struct env {
    struct fixture *f;
    int64_t gid[3], loop[LOOPS];
    int64_t unknown;   /* value of instruction 0 */
    bool guard_signed; /* guards compare 32-bit values, signed or unsigned */
    bool extend_signed;
    uint64_t beyond; /* how often addresses have wrapped around besides */
    bool touched;    /* sel_touched() says which bytes are touched: */
    uint64_t begin, end;
    bool outside; /* another one was */
};

static uint64_t value_of(const struct env *e, const struct sum_poly *p)
{
    const struct fixture *f = e->f;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->nterm; i++) {
        uint64_t product = (uint64_t)p->term[i].coef;
        for (uint32_t j = 0; j < p->term[i].nsym; j++) {
            const struct sum_sym *s = &p->term[i].sym[j];
            int32_t arg;
            memcpy(&arg, f->values[s->kind == SUM_SYM_ARG ? s->index : 2].value, sizeof arg);
            switch (s->kind) {
            case SUM_SYM_GID:
                product *= (uint64_t)e->gid[s->index];
                break;
            case SUM_SYM_OFFSET:
                product *= f->l.offset[s->index];
                break;
            case SUM_SYM_GSIZE:
                product *= f->l.global[s->index];
                break;
            case SUM_SYM_ARG:
                product *= s->zext ? (uint32_t)arg : (uint64_t)arg;
                break;
            case SUM_SYM_LOOP:
                product *= (uint64_t)e->loop[s->index];
                break;
            default:
                product *= s->index == 0 ? (uint64_t)e->unknown : (uint32_t)arg >> 1;
                break;
            }
        }
        sum += product;
    }
    return sum;
}

static bool guards_hold(const struct env *e, const struct sum_access *a)
{
    for (uint32_t i = 0; i < a->nguard; i++) {
        uint32_t x = (uint32_t)value_of(e, &a->guard[i].lhs), y = (uint32_t)value_of(e, &a->guard[i].rhs);
        bool less = e->guard_signed ? (int32_t)x < (int32_t)y : x < y;
        if (a->guard[i].equal ? x != y : !less)
            return false;
    }
    return true;
}

/* Mark one byte; true if that makes a conflict. */
static bool mark(uint64_t addr, int item, const struct sum_access *a)
{
    unsigned h = (unsigned)((addr * 0x9e3779b97f4a7c15u) >> 48) % CELLS;
    while (cells[h].stamp == stamp && cells[h].addr != addr)
        h = (h + 1) % CELLS;
    struct cell *c = &cells[h];
    if (c->stamp != stamp)
        *c = (struct cell){.addr = addr, .stamp = stamp, .item = item};
    c->several |= c->item != item;
    c->written |= a->kind != SUM_ACC_READ;
    c->plain |= a->kind != SUM_ACC_ATOMIC;
    if (a->kind == SUM_ACC_ATOMIC)
        c->families |= 1u << a->insn;
    return c->several && c->written && (c->plain || (c->families & (c->families - 1)) != 0);
}

/* Over the integers: the polynomials here are small. */
static bool ranges_hold(const struct env *e, const struct sum_access *a)
{
    for (uint32_t i = 0; i < a->nrange; i++) {
        const struct sum_range *r = &a->range[i];
        int64_t v = (int64_t)value_of(e, &r->poly),
                top = (int64_t)1 << (r->is_signed ? r->bits - 1 : r->bits);
        if (v < (r->is_signed ? -top : 0) || v >= top)
            return false;
    }
    return true;
}

static bool touch_conflicts(struct env *e, int item)
{
    for (unsigned i = 0; i < e->f->k.naccess; i++) {
        const struct sum_access *a = &e->f->access[i];
        if (!guards_hold(e, a))
            continue;
        uint64_t v = ranges_hold(e, a) ? value_of(e, &a->coord[0]) : 0, bits = a->wrap_bits;
        if (bits < 64) {
            v &= ((uint64_t)1 << bits) - 1;
            if (e->extend_signed && v >> (bits - 1))
                v |= ~(uint64_t)0 << bits;
            v += e->beyond << bits;
        }
        bool inside = v <= e->f->values[0].bytes - a->bytes; /* no program touches others */
        e->outside |= e->touched && inside && (v < e->begin || v + a->bytes > e->end);
        for (uint32_t b = 0; b < a->bytes; b++)
            if (mark(v + b, item, a))
                return true;
    }
    return false;
}

static int64_t trips(const struct env *e, unsigned loop)
{
    const struct sum_loop *l = &e->f->loop[loop];
    if (l->quotient)
        return 1;
    int64_t limit = (int64_t)value_of(e, &l->limit);
    int64_t step = l->step ? l->step : 1;
    return limit <= 0 ? 0 : (limit + step - 1) / step;
}

/* A loop starts at 0; a quotient is what it is. */
static int64_t start_of(const struct env *e, unsigned loop)
{
    const struct sum_loop *l = &e->f->loop[loop];
    int64_t number = (int64_t)value_of(e, &l->limit) - 1;
    return l->quotient && number >= 0 ? number / l->step : 0;
}

/* *touched: sel_touched() told how many bytes are touched at most; *outside: one is that is none of these. */
static bool races(struct fixture *f, bool *touched, bool *outside)
{
    struct env e = {.f = f,
                    .unknown = (int64_t)draw(1000) - 500,
                    .guard_signed = draw(2),
                    .extend_signed = draw(2),
                    .beyond = draw(2)};
    bool race = false;
    int item = 0;
    stamp++;
    e.touched = sel_touched(&f->k, &f->l, 0, &e.begin, &e.end);
    for (size_t z = 0; z < f->l.global[2]; z++)
        for (size_t y = 0; y < f->l.global[1]; y++)
            for (size_t x = 0; x < f->l.global[0]; x++, item++) {
                e.gid[0] = (int64_t)(x + f->l.offset[0]);
                e.gid[1] = (int64_t)(y + f->l.offset[1]);
                e.gid[2] = (int64_t)(z + f->l.offset[2]);
                int64_t outer = 0;
                do { /* loops run once at least here: a touch is never left out */
                    e.loop[0] = outer + start_of(&e, 0);
                    int64_t inner = 0;
                    do {
                        e.loop[1] = inner + start_of(&e, 1);
                        race |= touch_conflicts(&e, item);
                    } while (++inner < (f->k.nloop > 1 ? trips(&e, 1) : 1));
                } while (++outer < (f->k.nloop > 0 ? trips(&e, 0) : 1) && !race);
            }
    *touched = e.touched;
    *outside = e.outside;
    return race;
}

static int64_t stride(int64_t around)
{
    int64_t v = around + (draw(3) ? 0 : (int64_t)draw(5) - 2);
    return draw(5) ? v : -v;
}

/* A polynomial that is often a mixed radix system over the ids and loops. */
static void random_offset(struct fixture *f, struct sum_poly *p, uint32_t bytes, unsigned ndigit)
{
    struct sum_sym digit[] = {GID(0), GID(1), GID(2), LOOP(0), LOOP(1)};
    size_t range[] = {f->l.global[0], f->l.global[1], f->l.global[2], 3, 3};
    int64_t step = stride(bytes);
    unsigned first = (unsigned)draw(ndigit);
    for (unsigned i = 0; i < ndigit; i++) {
        unsigned d = (first + i) % ndigit;
        if (d >= 3 && (d - 3 >= f->k.nloop || draw(3) == 0))
            continue;
        if (draw(12) == 0)
            continue;
        switch (draw(8)) {
        case 0:
            add(f, p, 1, 2, digit[d], ARG(1 + (unsigned)draw(2)));
            break;
        case 1:
            add(f, p, step, 2, digit[d], GSIZE((unsigned)draw(3)));
            break;
        case 2:
            add(f, p, step, 2, digit[d], UNIFORM(3));
            break;
        default:
            add(f, p, step, 1, digit[d]);
            break;
        }
        step = stride(step * (int64_t)(draw(4) ? range[d] : range[d] - (range[d] > 1)));
    }
}

static void random_guard(struct fixture *f, unsigned access)
{
    struct sum_guard *g = new_guard(f, access);
    struct sum_sym s[] = {GID(0), GID(1), GID(2), ARG(1), LOOP(0)};
    bool between = draw(3) == 0; /* two ids, or an id and a loop */
    g->equal = draw(5) == 0;
    add(f, &g->lhs, (int64_t)draw(3) + 1, 1, s[draw(draw(6) ? 3 : 5)]);
    if (draw(3) == 0)
        add(f, &g->lhs, (int64_t)draw(5) - 2, 0);
    add(f, &g->rhs, draw(12) ? (int64_t)draw(7) : (int64_t)draw(5) - 3, 0);
    if (between)
        add(f, &g->rhs, 1, 1, s[draw(f->k.nloop ? 5 : 4)]);
    else if (draw(3) == 0)
        add(f, &g->rhs, draw(20) ? (int64_t)draw(3) - 1 : (int64_t)1 << 31, 1, s[draw(4)]);
    if (draw(2)) {
        struct sum_poly t = g->lhs;
        g->lhs = g->rhs;
        g->rhs = t;
    }
}

static void random_range(struct fixture *f, unsigned access)
{
    struct sum_sym s[] = {GID(0), GID(1), GID(2), ARG(1), LOOP(0)};
    struct sum_poly *p = new_range(f, access, 1 + (unsigned)draw(6), draw(2));
    add(f, p, (int64_t)draw(9) - 3, 1, s[draw(f->k.nloop ? 5 : 4)]);
    if (draw(2))
        add(f, p, (int64_t)draw(5) - 2, 0);
}

static void random_quotient(struct fixture *f, unsigned loop)
{
    struct sum_poly *number[2];
    struct sum_sym first = loop == 1 && draw(3) == 0 ? LOOP(0) : GID((unsigned)draw(3));
    unsigned second = (unsigned)draw(3);
    int64_t c = draw(4) ? 1 : (int64_t)draw(3), d = draw(3) ? 0 : (int64_t)draw(4),
            e = draw(8) ? (int64_t)draw(3) : -1;
    new_quotient(f, loop, 1 + (int64_t)draw(5), number);
    if (draw(4) == 0)
        f->loop[loop].quotient = SUM_Q_POWER;
    for (unsigned i = 0; i < 2; i++) {
        add(f, number[i], c, 1, first);
        add(f, number[i], d, 1, GID(second));
        add(f, number[i], e, 0);
    }
}

/* p += coef * (x - w * (x / w)) for the quotient `loop`, if that is one. */
static bool add_remainder(struct fixture *f, struct sum_poly *p, int64_t coef, unsigned loop)
{
    const struct sum_loop *l = &f->loop[loop];
    if (loop >= f->k.nloop || !l->quotient || p->nterm + l->range[0].poly.nterm >= TERMS)
        return false;
    for (uint32_t i = 0; i < l->range[0].poly.nterm; i++) {
        const struct sum_term *t = &l->range[0].poly.term[i];
        if (t->nsym == 0)
            add(f, p, coef * t->coef, 0);
        else
            add(f, p, coef * t->coef, 1, t->sym[0]);
    }
    add(f, p, -coef * l->step, 1, LOOP(loop));
    return true;
}

/* Work-items of one colour of a checkerboard, and the like. */
static void colour_guard(struct fixture *f, unsigned access)
{
    unsigned loop = (unsigned)draw(2);
    if (loop >= f->k.nloop || !f->loop[loop].quotient)
        return;
    struct sum_guard *g = new_guard(f, access);
    g->equal = draw(3) > 0;
    if (add_remainder(f, &g->lhs, 1, loop))
        add(f, &g->rhs, (int64_t)draw(3), 0);
}

/* Like the first access, with dimensions 0 and 1 exchanged. */
static void mirror(struct fixture *f, struct sum_poly *p)
{
    for (uint32_t t = 0; t < p->nterm; t++)
        for (uint32_t s = 0; s < p->term[t].nsym; s++)
            if (p->term[t].sym[s].kind == SUM_SYM_GID && p->term[t].sym[s].index < 2)
                p->term[t].sym[s].index ^= 1;
    struct sum_guard *g = new_guard(f, 0), *h = new_guard(f, f->k.naccess - 1);
    unsigned d = (unsigned)draw(2);
    add(f, &g->lhs, 1, 1, GID(d));
    add(f, &g->rhs, 1, 1, GID(!d));
    add(f, &h->lhs, 1, 1, GID(d));
    add(f, &h->rhs, 1, 1, GID(!d));
    if (draw(4) == 0)
        add(f, &h->rhs, (int64_t)draw(3) - 1, 0);
}

static void random_case(struct fixture *f)
{
    setup(f, 3, 1 + draw(5), 1 + draw(4), 1 + (draw(3) == 0) * draw(3));
    for (unsigned d = 0; d < 3; d++)
        f->l.offset[d] = draw(3) ? 0 : draw(4);
    f->values[0].bytes = (uint64_t)1 << (draw(2) ? 20 : 5 + draw(6));
    scalar(f, 1, (int32_t)draw(24) - 3);
    scalar(f, 2, (int32_t)draw(48) - 3);
    f->k.nloop = (uint32_t)draw(3);
    for (unsigned i = 0; i < f->k.nloop; i++) {
        if (draw(3) == 0) {
            random_quotient(f, i);
            continue;
        }
        f->loop[i] = (struct sum_loop){.bounded = draw(2), .step = draw(30) ? 1 + (int64_t)draw(2) : 0};
        add(f, &f->loop[i].limit, (int64_t)draw(5), 0);
        if (draw(3) == 0)
            add(f, &f->loop[i].limit, (int64_t)draw(3) - 1, 1,
                i == 1 && draw(2) ? LOOP(0) : GID((unsigned)draw(3)));
        if (draw(8) == 0)
            add(f, &f->loop[i].limit, (int64_t)draw(4) - 1, 2,
                i == 1 && draw(2) ? LOOP(0) : GID((unsigned)draw(3)), GID((unsigned)draw(3)));
    }
    unsigned n = 1 + (unsigned)draw(3);
    uint32_t bytes = 1u << draw(3);
    for (unsigned i = 0; i < n; i++) {
        static const enum sum_access_kind kinds[] = {SUM_ACC_WRITE, SUM_ACC_WRITE, SUM_ACC_READ,
                                                     SUM_ACC_ATOMIC};
        struct sum_poly *p = new_access(f, i == 0 ? SUM_ACC_WRITE : kinds[draw(draw(4) ? 3 : 4)], bytes);
        f->access[i].insn = 4 + (uint32_t)draw(2);
        f->access[i].wrap_bits = draw(3) ? 64 : (uint8_t)(5 + draw(6));
        if (i > 0 && draw(3)) { /* like the first, elsewhere */
            for (uint32_t t = 0; t < f->access[0].coord[0].nterm; t++) {
                add(f, p, 0, 0);
                p->term[t] = f->access[0].coord[0].term[t];
            }
            if (draw(2) && p->nterm < TERMS)
                add(f, p, (int64_t)draw(200) - 60, 0);
            if (p->nterm && f->k.nloop &&
                draw(4) == 0) /* with a loop of its own, of the same stride perhaps */
                p->term[draw(p->nterm)].coef *= draw(2);
            if (i == 1 && f->access[0].nguard == 0 && draw(3) == 0) {
                mirror(f, p);
                continue;
            }
        } else {
            random_offset(f, p, bytes, 5);
            if (draw(3) == 0)
                add_remainder(f, p, stride(bytes), (unsigned)draw(2));
            if (draw(6) == 0 && p->nterm < TERMS)
                add(f, p, 4, 1, UNIFORM(0));
            if (draw(6) == 0 && p->nterm < TERMS)
                add(f, p, stride(bytes), 1, ARG(2));
        }
        for (unsigned g = 0; g < GUARDS && draw(2); g++)
            if (draw(3))
                random_guard(f, i);
            else
                colour_guard(f, i);
        if (draw(4) == 0)
            random_range(f, i);
    }
    if (draw(6) == 0) /* atomics only */
        f->access[0].kind = SUM_ACC_ATOMIC;
    f->args[0].may_read = f->args[0].may_read || f->access[0].kind == SUM_ACC_ATOMIC;
    f->k.has_atomics = true;
}

/* Let the launch stand for several with other scalars.  Returns the arguments, as bits, that have bounds. */
static unsigned give_bounds(struct fixture *f)
{
    unsigned given = 0;
    for (unsigned i = 1; i < 3; i++) {
        struct launch_arg *a = &f->values[i];
        int32_t value;
        memcpy(&value, a->value, sizeof value);
        a->bounded = value >= 0 && draw(3) == 0;
        a->least = value - (int64_t)draw((uint64_t)(value > 0 ? value : 0) + 1);
        a->most = value + (int64_t)draw(40);
        given |= (unsigned)a->bounded << i;
    }
    return given;
}

/* One of the launches that it stands for. */
static void draw_values(struct fixture *f)
{
    for (unsigned i = 1; i < 3; i++) {
        const struct launch_arg *a = &f->values[i];
        if (a->bounded)
            scalar(f, i, (int32_t)(a->least + (int64_t)draw((uint64_t)(a->most - a->least) + 1)));
    }
}

LOOPED_TEST(never_wrong, 4)
{
    const char *rounds = getenv("CLSIZER_TEST_ROUNDS");
    unsigned long n = rounds ? strtoul(rounds, NULL, 10) : 60000, proven = 0, free_of_races = 0, told = 0,
                  several = 0;
    seed += (uint64_t)_i * 0x2545f4914f6cdd1d;
    for (unsigned long i = 0; i < n; i++) {
        struct fixture f;
        uint64_t start = seed;
        random_case(&f);
        const bool bounds = give_bounds(&f);
        const bool ok = judge(&f) == SEL_R_OK;
        draw_values(&f);
        bool touched, outside, race = races(&f, &touched, &outside);
        ck_assert_msg(!outside, "a byte is touched that is not told: case %lu, seed %llx", i,
                      (unsigned long long)start);
        ck_assert_msg(!ok || !race, "proven, yet two work-items collide: case %lu, seed %llx", i,
                      (unsigned long long)start);
        proven += ok;
        several += ok && bounds;
        free_of_races += !race;
        told += touched;
    }
    ck_assert_uint_gt(told * 5, n);
    /* the test must not be empty: a fair share of what is race-free is proven */
    ck_assert_uint_gt(proven * 3, free_of_races);
    ck_assert_uint_gt(several * 20, free_of_races);
    if (rounds)
        printf("%lu launches, %lu race-free, %lu proven, %lu of them for more than one, %lu whose bytes are "
               "told\n",
               n, free_of_races, proven, several, told);
}

int main(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "3600", 1);
    return run_tests("disjoint_random", NULL, NULL);
}

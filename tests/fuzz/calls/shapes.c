/* shapes.c - what kernels are launched with: memory, numbers, ranges. */
#include "calls.h"

/* ---- pieces of memory ------------------------------------------------------------------------------ */

/* All of it, or a half.  Launches of programs that are `alike` all use as many bytes. */
static struct piece piece_of(struct player *p, struct object *o)
{
    const bool half = p->alike || one_in(p, 4);

    if (!half)
        return (struct piece){o, 0, o->bytes, NULL};
    return (struct piece){o, one_in(p, 2) ? upto(p, 3) * (o->bytes / 4) : 0, o->bytes / 2, NULL};
}

static struct piece whole_of(struct object *o)
{
    return (struct piece){o, 0, o->bytes, NULL};
}

/* Another one beside it: what one work-item writes to the one is nothing that another has of the other. */
static struct piece beside(struct player *p, const struct piece *a, const struct piece *b)
{
    const bool half = a->from % a->bytes == 0 && 2 * a->bytes == a->of->bytes;

    if (!b && half && one_in(p, 3))
        return (struct piece){a->of, a->bytes - a->from, a->bytes, NULL};
    return piece_of(p, another(p, INT, a->of, b ? b->of : NULL));
}

static unsigned ints(const struct piece *m)
{
    return (unsigned)(m->bytes / 4);
}

static unsigned fewest_ints(const struct launch *l)
{
    unsigned n = ints(&l->memory[0]);

    for (unsigned i = 1; i < l->nmemory; i++)
        if (ints(&l->memory[i]) < n)
            n = ints(&l->memory[i]);
    return n;
}

static void give(struct launch *l, struct piece m)
{
    l->memory[l->nmemory++] = m;
}

/* ---- numbers and ranges ---------------------------------------------------------------------------- */

static void number(struct launch *l, size_t n)
{
    l->number[l->nnumbers++] = (int)n;
}

/* The next number is one of `n` from `least` on, another one at each launch. */
static void counts_from(struct player *p, struct launch *l, size_t least, size_t n)
{
    l->counting = l->nnumbers;
    l->least = (int)least;
    l->span = (int)n;
    l->step = one_in(p, 3) ? -1 - (int)upto(p, 3) : 1 + (int)upto(p, 40);
    number(l, least + upto(p, (unsigned)n));
}

/* Some drivers refuse ranges that are no multiple of the local size, and empty ones. */
static void along(struct player *p, struct launch *l, unsigned n)
{
    static const size_t sizes[] = {0, 64, 64, 128, 16, 8, 256, 0};
    const bool odd = p->calm && one_in(p, 4);

    l->dim = 1;
    l->global[0] = odd ? n - upto(p, 60) : n;
    l->local[0] = odd && !one_in(p, 8) ? 0 : sizes[upto(p, 8)];
    if (p->calm && one_in(p, 25))
        l->global[0] = 0;
}

static void across(struct player *p, struct launch *l)
{
    static const size_t sizes[][2] = {{0, 0}, {16, 16}, {8, 8}, {32, 4}, {1, 64}, {128, 1}};
    const unsigned i = upto(p, 6);

    l->dim = 2;
    l->global[0] = l->global[1] = SIDE;
    l->local[0] = sizes[i][0];
    l->local[1] = sizes[i][1];
}

/* The last number: how often a kernel's loop turns, so that a launch takes some time, by how long one
 * work-item takes for a turn. */
static void turns(struct player *p, struct launch *l, size_t weight)
{
    size_t items = weight;

    for (cl_uint d = 0; d < l->dim; d++)
        items *= l->global[d] ? l->global[d] : 1;
    number(l, 1 + ((size_t)1 << (19 + upto(p, 5))) / items);
}

/* ---- each kernel ----------------------------------------------------------------------------------- */

static enum kind ints_or_pointer(struct player *p)
{
    return one_in(p, 4) ? SVM : INT;
}

/* Also in place. */
static void shape_map(struct player *p, struct launch *l)
{
    give(l, piece_of(p, any(p, ints_or_pointer(p))));
    give(l, one_in(p, 4) ? l->memory[0] : beside(p, &l->memory[0], NULL));
    along(p, l, ints(&l->memory[0]));
    number(l, fewest_ints(l) - (one_in(p, 2) ? 3 : 0));
    turns(p, l, 1);
}

static void shape_update(struct player *p, struct launch *l)
{
    give(l, piece_of(p, any(p, ints_or_pointer(p))));
    along(p, l, ints(&l->memory[0]) >> (p->alike ? 0 : upto(p, 3)));
    number(l, ints(&l->memory[0]));
    turns(p, l, 1);
}

/* Not from the beginning. */
static void shape_places(struct player *p, struct launch *l)
{
    give(l, piece_of(p, any(p, ints_or_pointer(p))));
    along(p, l, ints(&l->memory[0]) / 2);
    l->offset[0] = one_in(p, 2) ? ints(&l->memory[0]) / 4 : 0;
    turns(p, l, 1);
}

static void shape_two(struct player *p, struct launch *l)
{
    give(l, piece_of(p, any(p, INT)));
    give(l, beside(p, &l->memory[0], NULL));
    give(l, beside(p, &l->memory[0], &l->memory[1]));
    along(p, l, fewest_ints(l));
    number(l, fewest_ints(l));
    turns(p, l, 1);
}

static void shape_count(struct player *p, struct launch *l)
{
    give(l, piece_of(p, any(p, INT)));
    give(l, beside(p, &l->memory[0], NULL));
    along(p, l, ints(&l->memory[1]));
    number(l, ints(&l->memory[1]) - 5);
    turns(p, l, 1);
}

static void shape_stencil(struct player *p, struct launch *l)
{
    struct object *to = any(p, FLOAT);

    give(l, whole_of(to));
    give(l, whole_of(another(p, FLOAT, to, NULL)));
    across(p, l);
    number(l, SIDE);
    number(l, SIDE);
    turns(p, l, 4);
}

static void shape_product(struct player *p, struct launch *l)
{
    struct object *c = any(p, FLOAT), *a = another(p, FLOAT, c, NULL);

    give(l, whole_of(c));
    give(l, whole_of(a));
    give(l, whole_of(one_in(p, 3) ? a : another(p, FLOAT, c, a)));
    across(p, l);
    number(l, SIDE);
}

static void in_groups(struct player *p, struct launch *l)
{
    along(p, l, fewest_ints(l));
    l->global[0] = fewest_ints(l);
    l->local[0] = 64;
    l->local_bytes = 64 * sizeof(cl_int);
}

static void shape_halves(struct player *p, struct launch *l)
{
    give(l, piece_of(p, any(p, INT)));
    give(l, beside(p, &l->memory[0], NULL));
    in_groups(p, l);
}

static void shape_shade(struct player *p, struct launch *l)
{
    struct object *to = any(p, IMAGE);

    give(l, whole_of(to));
    give(l, whole_of(another(p, IMAGE, to, NULL)));
    across(p, l);
    turns(p, l, 16);
}

static void shape_texels(struct player *p, struct launch *l)
{
    give(l, whole_of(any(p, FLOAT)));
    give(l, whole_of(any(p, IMAGE)));
    across(p, l);
    number(l, SIDE);
}

/* From row to row. */
static void shape_sweep(struct player *p, struct launch *l)
{
    give(l, piece_of(p, any(p, ints_or_pointer(p))));
    across(p, l);
    l->global[1] = ints(&l->memory[0]) / SIDE;
    number(l, l->global[1]);
    counts_from(p, l, 0, l->global[1] - 1);
    turns(p, l, 1);
}

/* From place to place. */
static void shape_shift(struct player *p, struct launch *l)
{
    const struct piece m = piece_of(p, any(p, ints_or_pointer(p)));

    give(l, m);
    along(p, l, ints(&m) / 4);
    counts_from(p, l, ints(&m) / 4, ints(&m) / 2);
    turns(p, l, 1);
}

/* Two pieces that are only read, and may overlap. */
static void shape_blend(struct player *p, struct launch *l)
{
    struct object *to = any(p, ints_or_pointer(p)), *from = another(p, INT, to, NULL);

    give(l, piece_of(p, to));
    give(l, piece_of(p, from));
    give(l, piece_of(p, one_in(p, 2) ? from : another(p, INT, to, from)));
    along(p, l, fewest_ints(l));
    number(l, fewest_ints(l));
    turns(p, l, 1);
}

/* From one place of an object to one a little behind it, which is defined in one group of work-items only:
 * what overlaps is separated by a barrier. */
static void shape_slide(struct player *p, struct launch *l)
{
    const size_t group = 256;
    struct object *o = any(p, one_in(p, 2) ? SVM : INT);
    const size_t from = upto(p, 8) * p->align, bytes = group * sizeof(cl_int);

    give(l, (struct piece){o, from + p->align, bytes, NULL});
    give(l, (struct piece){o, from, bytes, NULL});
    l->dim = 1;
    l->global[0] = l->local[0] = group;
    turns(p, l, 4);
}

/* Turned over in local memory. */
static void shape_tiles(struct player *p, struct launch *l)
{
    give(l, piece_of(p, any(p, ints_or_pointer(p))));
    give(l, beside(p, &l->memory[0], NULL));
    l->dim = 2;
    l->global[0] = SIDE;
    l->global[1] = fewest_ints(l) / SIDE;
    l->local[0] = l->local[1] = 8;
    turns(p, l, 1);
}

/* Counted in local memory first. */
static void shape_tally(struct player *p, struct launch *l)
{
    give(l, piece_of(p, any(p, INT)));
    give(l, beside(p, &l->memory[0], NULL));
    in_groups(p, l);
    number(l, ints(&l->memory[1]) - 5);
    turns(p, l, 1);
}

static void shape_extremes(struct player *p, struct launch *l)
{
    give(l, piece_of(p, any(p, INT)));
    give(l, beside(p, &l->memory[0], NULL));
    along(p, l, ints(&l->memory[1]) / 4);
    number(l, ints(&l->memory[1]) - 7);
    turns(p, l, 1);
}

static void shape_box(struct player *p, struct launch *l)
{
    static const size_t sizes[][3] = {{0, 0, 0}, {8, 4, 2}, {16, 1, 1}, {32, 1, 2}, {1, 1, 16}, {4, 16, 1}};
    const unsigned i = upto(p, 6);

    give(l, piece_of(p, any(p, ints_or_pointer(p))));
    l->dim = 3;
    l->global[0] = 32;
    l->global[1] = 16;
    l->global[2] = ints(&l->memory[0]) / (32 * 16) / 2;
    memcpy(l->local, sizes[i], sizeof l->local);
    if (p->calm && one_in(p, 2)) { /* the kernel goes by a row of 32 */
        l->global[0] = 32 - 3;
        l->offset[0] = 3;
        l->offset[2] = l->global[2] / 2;
    }
    turns(p, l, 1);
}

#define SHAPES(X)                                                                                            \
    X(MAP, map)                                                                                              \
    X(UPDATE, update)                                                                                        \
    X(PLACES, places)                                                                                        \
    X(TWO, two)                                                                                              \
    X(COUNT, count)                                                                                          \
    X(STENCIL, stencil)                                                                                      \
    X(PRODUCT, product)                                                                                      \
    X(HALVES, halves)                                                                                        \
    X(SHADE, shade)                                                                                          \
    X(TEXELS, texels)                                                                                        \
    X(SWEEP, sweep)                                                                                          \
    X(SHIFT, shift)                                                                                          \
    X(BLEND, blend)                                                                                          \
    X(SLIDE, slide)                                                                                          \
    X(TILES, tiles)                                                                                          \
    X(TALLY, tally)                                                                                          \
    X(EXTREMES, extremes)                                                                                    \
    X(BOX, box)

#define NAME(kernel, name) [kernel] = #name,
const char *const kernel_names[KERNELS] = {SHAPES(NAME)};

#define SHAPE(kernel, name) [kernel] = shape_##name,
static void (*const shapes[KERNELS])(struct player *, struct launch *) = {SHAPES(SHAPE)};

struct launch draw(struct player *p)
{
    const unsigned i = upto(p, FAVOURITES);
    const bool again = !one_in(p, 4);
    const uint32_t seed = p->seed;
    struct launch l = {.kernel = p->favourite[i].kernel};

    if (again)
        p->seed = p->favourite[i].seed;
    shapes[l.kernel](p, &l);
    if (again)
        p->seed = seed;
    return l;
}

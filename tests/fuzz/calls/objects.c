/* objects.c - what commands touch: buffers, memory by pointers, images. */
#include "calls.h"

void fill_with_random(struct player *p, void *to, size_t bytes, enum kind kind)
{
    uint32_t state = upto(p, 1u << 20);

    for (size_t i = 0; i < bytes / 4; i++) {
        const uint32_t r = app_random(&state);
        if (kind == INT || kind == SVM)
            ((int32_t *)to)[i] = (int32_t)(r >> 4);
        else
            ((float *)to)[i] = (float)(r & 1023) / 1023;
    }
}

static void make_image(struct player *p, struct object *o, void *text)
{
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    cl_int error;

    o->mem = clCreateImage(p->app->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, text,
                           &error);
    CL_CHECK(error);
}

/* The host's memory of a buffer, which goes with it. */
struct lent {
    struct player *to;
    void *host;
};

static void CL_CALLBACK given_back(cl_mem mem, void *lent)
{
    struct lent *l = lent;

    (void)mem;
    free(l->host);
    atomic_fetch_add(&l->to->called, 1);
    free(l);
}

static void make_of_host(struct player *p, struct object *o, const void *text)
{
    struct lent *l = app_alloc(sizeof *l);
    cl_int error;

    *l = (struct lent){p, aligned_alloc(4096, o->bytes)};
    o->host = memcpy(l->host, text, o->bytes);
    o->mem =
        clCreateBuffer(p->app->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, o->bytes, o->host, &error);
    CL_CHECK(error);
    CL_CHECK(clSetMemObjectDestructorCallback(o->mem, given_back, l));
    p->expected++;
}

static void make_buffer(struct player *p, struct object *o, void *text)
{
    const cl_mem_flags flags = one_in(p, 4) ? CL_MEM_ALLOC_HOST_PTR : 0;
    cl_int error;

    if (one_in(p, 5)) {
        make_of_host(p, o, text);
        return;
    }
    o->mem = clCreateBuffer(p->app->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR | flags, o->bytes, text,
                            &error);
    CL_CHECK(error);
}

static size_t bytes_of(struct player *p, enum kind kind)
{
    static const size_t ints[] = {1u << 14, 1u << 16, 1u << 18};

    if (kind == INT || kind == SVM)
        return 4 * (p->alike ? 1u << 17 : ints[upto(p, 3)]);
    return SIDE * SIDE * 4 * (kind == IMAGE ? 4 : 1);
}

void make_object(struct player *p, struct object *o, enum kind kind)
{
    void *text;

    *o = (struct object){.kind = kind, .at = -1, .bytes = bytes_of(p, kind)};
    text = app_alloc(o->bytes);
    fill_with_random(p, text, o->bytes, kind);
    if (kind == SVM && !pointer_alloc(p, o))
        o->kind = INT;
    if (o->kind == SVM)
        CL_CHECK(pointer_copy(o, p->queue[0].handle, CL_TRUE, o->shared, text, o->bytes, 0, NULL, NULL));
    else if (o->kind == IMAGE)
        make_image(p, o, text);
    else
        make_buffer(p, o, text);
    free(text);
}

void drop_object(struct player *p, struct object *o)
{
    if (o->kind == SVM)
        pointer_free(p, o);
    else
        CL_CHECK(clReleaseMemObject(o->mem));
    remember(o, -1, NULL);
}

struct object *any(struct player *p, enum kind kind)
{
    static const unsigned first[] = {0, INTS, INTS + FLOATS, INTS + FLOATS + SHARED};
    static const unsigned n[] = {INTS, FLOATS, SHARED, IMAGES};

    return &p->object[first[kind] + upto(p, n[kind])];
}

struct object *another(struct player *p, enum kind kind, const struct object *a, const struct object *b)
{
    struct object *o;

    do
        o = any(p, kind);
    while (o == a || o == b);
    return o;
}

int number_of(const struct player *p, const struct object *o)
{
    return (int)(o - p->object);
}

/* Released while commands use it, and another one in its place. */
void renew(struct player *p)
{
    struct object *o = &p->object[upto(p, OBJECTS)];
    const enum kind kind = o->kind;

    drop_object(p, o);
    make_object(p, o, kind);
    say(p, "new %d", number_of(p, o));
}

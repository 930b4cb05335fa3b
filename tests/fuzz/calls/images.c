/* images.c - transfers of images, and between them and buffers: numbers from 0 to 1. */
#include "calls.h"

const size_t corner[3] = {0, 0, 0}, whole[3] = {SIDE, SIDE, 1};
static const size_t quarter[3] = {SIDE, SIDE / 4, 1}; /* as many bytes as a buffer of float */

struct area {
    size_t from[3], region[3];
};

static struct area draw_area(struct player *p)
{
    return (struct area){{upto(p, SIDE / 2), upto(p, SIDE / 2), 0},
                         {1 + upto(p, SIDE / 2), 1 + upto(p, SIDE / 2), 1}};
}

void fill_image(struct player *p)
{
    struct object *o = any(p, IMAGE);
    const struct area a = draw_area(p);
    const float color[4] = {(float)upto(p, 8) / 8, 0.5f, 0, 1};
    struct command c = begin(p);
    cl_int error;

    need(p, &c, o);
    error =
        clEnqueueFillImage(c.q->handle, o->mem, color, a.from, a.region, c.nwait, waits(&c), event(p, &c));
    say(p, "fill image %d: %d", number_of(p, o), error);
    end(p, &c, error);
}

void copy_image(struct player *p)
{
    struct object *from = any(p, IMAGE), *to = another(p, IMAGE, from, NULL);
    const struct area a = draw_area(p), b = draw_area(p);
    struct command c = begin(p);
    cl_int error;

    need(p, &c, from);
    need(p, &c, to);
    error = clEnqueueCopyImage(c.q->handle, from->mem, to->mem, a.from, b.from, a.region, c.nwait, waits(&c),
                               event(p, &c));
    say(p, "copy image %d to %d: %d", number_of(p, from), number_of(p, to), error);
    end(p, &c, error);
}

void image_to_buffer(struct player *p)
{
    struct object *from = any(p, IMAGE), *to = any(p, FLOAT);
    const size_t at[3] = {0, upto(p, SIDE / 2), 0};
    struct command c = begin(p);
    cl_int error;

    need(p, &c, from);
    need(p, &c, to);
    error = clEnqueueCopyImageToBuffer(c.q->handle, from->mem, to->mem, at, quarter, 0, c.nwait, waits(&c),
                                       event(p, &c));
    say(p, "image %d to %d: %d", number_of(p, from), number_of(p, to), error);
    end(p, &c, error);
}

void buffer_to_image(struct player *p)
{
    struct object *from = any(p, FLOAT), *to = any(p, IMAGE);
    const size_t at[3] = {0, upto(p, SIDE / 2), 0};
    struct command c = begin(p);
    cl_int error;

    need(p, &c, from);
    need(p, &c, to);
    error = clEnqueueCopyBufferToImage(c.q->handle, from->mem, to->mem, 0, at, quarter, c.nwait, waits(&c),
                                       event(p, &c));
    say(p, "%d to image %d: %d", number_of(p, from), number_of(p, to), error);
    end(p, &c, error);
}

/* Written, or read. */
void part_of_image(struct player *p)
{
    struct object *o = any(p, IMAGE);
    const struct area a = draw_area(p);
    const size_t bytes = a.region[0] * a.region[1] * 16;
    struct command c = begin(p);
    float *host = app_alloc(bytes);
    const bool write = one_in(p, 2);
    cl_int error;

    fill_with_random(p, host, bytes, IMAGE);
    need(p, &c, o);
    may_wait(p);
    error = write ? clEnqueueWriteImage(c.q->handle, o->mem, CL_TRUE, a.from, a.region, 0, 0, host, c.nwait,
                                        waits(&c), event(p, &c))
                  : clEnqueueReadImage(c.q->handle, o->mem, CL_TRUE, a.from, a.region, 0, 0, host, c.nwait,
                                       waits(&c), event(p, &c));
    say(p, "%s part of image %d: %d %016llx", write ? "write" : "read", number_of(p, o), error,
        hash(host, bytes));
    free(host);
    end(p, &c, error);
}

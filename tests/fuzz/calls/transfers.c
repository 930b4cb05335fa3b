/* transfers.c - between the host and objects, and from object to object. */
#include "calls.h"

cl_int read_to(struct object *o, struct command *c, cl_bool block, void *to, cl_event *e)
{
    if (o->kind == SVM)
        return pointer_copy(o, c->q->handle, block, to, o->shared, o->bytes, c->nwait, waits(c), e);
    if (o->kind == IMAGE)
        return clEnqueueReadImage(c->q->handle, o->mem, block, corner, whole, 0, 0, to, c->nwait, waits(c),
                                  e);
    return clEnqueueReadBuffer(c->q->handle, o->mem, block, 0, o->bytes, to, c->nwait, waits(c), e);
}

void read_now(struct player *p)
{
    struct object *o = &p->object[upto(p, OBJECTS)];
    struct command c = begin(p);
    void *to = app_alloc(o->bytes);

    need(p, &c, o);
    may_wait(p);
    const cl_int error = read_to(o, &c, CL_TRUE, to, event(p, &c));
    say(p, "read %d: %d %016llx", number_of(p, o), error, hash(to, o->bytes));
    free(to);
    end(p, &c, error);
}

void read_later(struct player *p)
{
    struct object *o = &p->object[upto(p, OBJECTS)];

    if (p->nread == MAX_READS)
        return;
    struct command c = begin(p);
    need(p, &c, o);
    p->read[p->nread].to = app_alloc(o->bytes);
    p->read[p->nread].bytes = o->bytes;
    const cl_int error = read_to(o, &c, CL_FALSE, p->read[p->nread++].to, event(p, &c));
    say(p, "read %d later: %d", number_of(p, o), error);
    end(p, &c, error);
}

/* The host's memory is changed as soon as it may be. */
void write_to(struct player *p)
{
    struct object *o = &p->object[upto(p, OBJECTS)];
    struct command c = begin(p);
    void *from = app_alloc(o->bytes);
    cl_int error;

    fill_with_random(p, from, o->bytes, o->kind);
    need(p, &c, o);
    may_wait(p);
    if (o->kind == SVM)
        error = pointer_copy(o, c.q->handle, CL_TRUE, o->shared, from, o->bytes / 2, c.nwait, waits(&c),
                             event(p, &c));
    else if (o->kind == IMAGE)
        error = clEnqueueWriteImage(c.q->handle, o->mem, CL_TRUE, corner, whole, 0, 0, from, c.nwait,
                                    waits(&c), event(p, &c));
    else
        error = clEnqueueWriteBuffer(c.q->handle, o->mem, CL_TRUE, 0, o->bytes / 2, from, c.nwait, waits(&c),
                                     event(p, &c));
    free(from);
    say(p, "write %d: %d", number_of(p, o), error);
    end(p, &c, error);
}

/* ---- rectangles: rows of 512 bytes, of which 256 from a column on ---------------------------------- */

#define ROW  512
#define WIDE 256

/* Rows of a buffer that are transferred; in the host's memory they lie one after the other. */
struct rect {
    size_t there[3], here[3], region[3];
};

static struct rect draw_rect(struct player *p, const struct object *o)
{
    const size_t rows = o->bytes / ROW;

    return (struct rect){{upto(p, 2) * 128, upto(p, (unsigned)rows / 4), 0},
                         {0, 2, 0},
                         {WIDE, rows / 2 + upto(p, (unsigned)rows / 4), 1}};
}

static size_t host_bytes(const struct rect *r)
{
    return (r->region[1] + r->here[1]) * WIDE;
}

void read_rect(struct player *p)
{
    struct object *o = any(p, one_in(p, 3) ? FLOAT : INT);
    const struct rect r = draw_rect(p, o);
    struct command c = begin(p);
    unsigned char *to = app_alloc(host_bytes(&r));
    cl_int error;

    memset(to, 1, host_bytes(&r));
    need(p, &c, o);
    may_wait(p);
    error = clEnqueueReadBufferRect(c.q->handle, o->mem, CL_TRUE, r.there, r.here, r.region, ROW, 0, WIDE, 0,
                                    to, c.nwait, waits(&c), event(p, &c));
    say(p, "read rows of %d: %d %016llx", number_of(p, o), error, hash(to, host_bytes(&r)));
    free(to);
    end(p, &c, error);
}

void write_rect(struct player *p)
{
    struct object *o = any(p, one_in(p, 3) ? FLOAT : INT);
    const struct rect r = draw_rect(p, o);
    struct command c = begin(p);
    void *from = app_alloc(host_bytes(&r));
    cl_int error;

    fill_with_random(p, from, host_bytes(&r), o->kind);
    need(p, &c, o);
    may_wait(p);
    error = clEnqueueWriteBufferRect(c.q->handle, o->mem, CL_TRUE, r.there, r.here, r.region, ROW, 0, WIDE, 0,
                                     from, c.nwait, waits(&c), event(p, &c));
    say(p, "write rows of %d: %d", number_of(p, o), error);
    free(from);
    end(p, &c, error);
}

/* ---- from object to object ------------------------------------------------------------------------- */

static cl_int copy_rows(struct player *p, struct command *c, struct object *from, struct object *to,
                        size_t bytes)
{
    const size_t rows = bytes / ROW, region[3] = {WIDE, rows / 2, 1};
    const size_t there[3] = {upto(p, 2) * 128, upto(p, (unsigned)rows / 4), 0};

    return clEnqueueCopyBufferRect(c->q->handle, from->mem, to->mem, there, corner, region, ROW, 0, ROW, 0,
                                   c->nwait, waits(c), event(p, c));
}

void copy(struct player *p)
{
    const enum kind kind = one_in(p, 3) ? FLOAT : INT;
    struct object *from = any(p, kind), *to = another(p, kind, from, NULL);
    struct command c = begin(p);
    const size_t bytes = from->bytes < to->bytes ? from->bytes : to->bytes;
    cl_int error;

    need(p, &c, from);
    need(p, &c, to);
    if (one_in(p, 2))
        error = copy_rows(p, &c, from, to, bytes);
    else
        error = clEnqueueCopyBuffer(c.q->handle, from->mem, to->mem, 0, bytes / 2, bytes / 2, c.nwait,
                                    waits(&c), event(p, &c));
    say(p, "copy %d to %d: %d", number_of(p, from), number_of(p, to), error);
    end(p, &c, error);
}

void fill_part(struct player *p)
{
    struct object *o = any(p, one_in(p, 4) ? SVM : INT);
    struct command c = begin(p);
    const int value[4] = {(int)upto(p, 1000), 1, 2, 3};
    const size_t from = o->bytes / 4, bytes = o->bytes / 2;
    cl_int error;

    need(p, &c, o);
    if (o->kind == SVM)
        error = pointer_fill(o, c.q->handle, from, bytes, value[0], c.nwait, waits(&c), event(p, &c));
    else
        error = clEnqueueFillBuffer(c.q->handle, o->mem, value, one_in(p, 2) ? sizeof value : sizeof *value,
                                    from, bytes, c.nwait, waits(&c), event(p, &c));
    say(p, "fill %d: %d", number_of(p, o), error);
    end(p, &c, error);
}

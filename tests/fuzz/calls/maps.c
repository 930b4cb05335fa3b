/* maps.c - objects that the host uses in place. */
#include "calls.h"

/* What is mapped of an object, how, and where it came to lie. */
struct mapped {
    struct object *of;
    size_t from, bytes;
    cl_map_flags how;
    int *at;
};

static int *place_in(const struct object *o, size_t from)
{
    return (int *)((char *)o->shared + from);
}

/* Unified shared memory is not mapped: a marker tells when the host may use it. */
static cl_int begin_map(struct command *c, struct mapped *m, cl_bool block)
{
    struct object *o = m->of;
    cl_int error;

    if (o->kind != SVM) {
        m->at = clEnqueueMapBuffer(c->q->handle, o->mem, block, m->how, m->from, m->bytes, c->nwait, waits(c),
                                   &c->done, &error);
        return error;
    }
    m->at = place_in(o, m->from);
    if (o->usm == COARSE)
        return clEnqueueSVMMap(c->q->handle, block, m->how, m->at, m->bytes, c->nwait, waits(c), &c->done);
    return clEnqueueMarkerWithWaitList(c->q->handle, c->nwait, waits(c), &c->done);
}

static void unmap(struct player *p, struct mapped *m)
{
    struct object *o = m->of;
    cl_int error;

    if (o->kind == SVM && o->usm != COARSE)
        return;
    struct command c = begin(p);
    need(p, &c, o);
    error = o->kind == SVM
                ? clEnqueueSVMUnmap(c.q->handle, m->at, c.nwait, waits(&c), event(p, &c))
                : clEnqueueUnmapMemObject(c.q->handle, o->mem, m->at, c.nwait, waits(&c), event(p, &c));
    CL_CHECK(error);
    end(p, &c, error);
}

/* Wait until the host may use it. */
static void wait_for_map(struct player *p, struct command *c, cl_int error)
{
    CL_CHECK(error);
    CL_CHECK(clWaitForEvents(1, &c->done));
    end(p, c, error);
}

/* Memory of a device alone cannot be used by the host. */
static struct object *any_to_map(struct player *p)
{
    struct object *o = any(p, one_in(p, 3) ? SVM : INT);

    return o->kind == SVM && o->usm == DEVICE_USM ? any(p, INT) : o;
}

static struct mapped draw_map(struct player *p, cl_map_flags how)
{
    struct object *o = any_to_map(p);

    if (one_in(p, 2))
        return (struct mapped){.of = o, .bytes = o->bytes, .how = how};
    return (struct mapped){.of = o, .from = o->bytes / 4, .bytes = o->bytes / 2, .how = how};
}

/* A buffer in the host's memory is mapped where it is. */
static const char *place(const struct mapped *m)
{
    if (!m->of->host)
        return "";
    return (char *)m->at == (char *)m->of->host + m->from ? ", in its place" : ", elsewhere";
}

/* The host changes some numbers of what it has mapped. */
void map(struct player *p)
{
    struct mapped m = draw_map(p, one_in(p, 2) ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ);
    struct command c = begin(p);

    need(p, &c, m.of);
    may_wait(p);
    wait_for_map(p, &c, begin_map(&c, &m, one_in(p, 2)));
    const int *host = m.of->host ? (int *)((char *)m.of->host + m.from) : m.at;
    say(p, "map %d: %016llx%s", number_of(p, m.of), hash(host, m.bytes), place(&m));
    for (unsigned i = 0; m.how & CL_MAP_WRITE && i < 100; i++)
        m.at[i] += (int)i;
    unmap(p, &m);
}

/* What was there is lost, and all of it written. */
void map_to_write(struct player *p)
{
    struct mapped m = draw_map(p, one_in(p, 3) ? CL_MAP_WRITE : CL_MAP_WRITE_INVALIDATE_REGION);
    struct command c = begin(p);

    need(p, &c, m.of);
    may_wait(p);
    wait_for_map(p, &c, begin_map(&c, &m, one_in(p, 2)));
    fill_with_random(p, m.at, m.bytes, INT);
    say(p, "map %d to write%s", number_of(p, m.of), place(&m));
    unmap(p, &m);
}

void map_image(struct player *p)
{
    struct object *o = any(p, IMAGE);
    const bool write = one_in(p, 2);
    struct command c = begin(p);
    size_t pitch = 0;
    uint64_t seen = 0;
    cl_int error;
    char *at;

    need(p, &c, o);
    may_wait(p);
    at = clEnqueueMapImage(c.q->handle, o->mem, CL_TRUE, write ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ,
                           corner, whole, &pitch, NULL, c.nwait, waits(&c), &c.done, &error);
    wait_for_map(p, &c, error);
    for (unsigned y = 0; y < SIDE; y++)
        if (write)
            fill_with_random(p, at + y * pitch, SIDE * 16, IMAGE);
        else
            seen = seen * 31 + hash(at + y * pitch, SIDE * 16);
    say(p, "map image %d: %016llx", number_of(p, o), (unsigned long long)seen);
    unmap(p, &(struct mapped){.of = o, .at = (int *)at});
}

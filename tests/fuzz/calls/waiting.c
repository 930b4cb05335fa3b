/* waiting.c - queues, and what waits for what: by events, the order of a queue, barriers.  What one command
 * leaves and another one needs is waited for, and nothing else is. */
#include "calls.h"

static int place_of(const struct player *p, const struct queue *q)
{
    return (int)(q - p->queue);
}

void set_user(struct player *p)
{
    if (!p->user.event)
        return;
    CL_CHECK(clSetUserEventStatus(p->user.event, CL_COMPLETE));
    CL_CHECK(clReleaseEvent(p->user.event));
    p->user.event = NULL;
}

void may_wait(struct player *p)
{
    set_user(p);
    for (unsigned i = 0; i < p->nqueue; i++)
        CL_CHECK(clFlush(p->queue[i].handle));
}

void settle(struct player *p)
{
    may_wait(p);
    for (unsigned i = 0; i < p->nqueue; i++)
        CL_CHECK(clFinish(p->queue[i].handle));
    for (unsigned i = 0; i < OBJECTS; i++)
        remember(&p->object[i], -1, NULL);
}

void new_user(struct player *p)
{
    cl_int error;

    if (p->user.event)
        return;
    p->user.event = clCreateUserEvent(p->app->context, &error);
    CL_CHECK(error);
    p->user.steps = 1 + upto(p, 4);
}

/* ---- one command ----------------------------------------------------------------------------------- */

void remember(struct object *o, int at, cl_event last)
{
    if (last)
        CL_CHECK(clRetainEvent(last));
    if (o->last)
        CL_CHECK(clReleaseEvent(o->last));
    o->at = at;
    o->last = last;
    o->fenced = false;
}

struct command begin(struct player *p)
{
    struct command c = {.q = &p->queue[upto(p, p->nqueue)]};

    if (p->user.event && one_in(p, 3)) {
        CL_CHECK(clRetainEvent(p->user.event));
        c.wait[c.nwait++] = c.gate = p->user.event;
    }
    return c;
}

/* An event for what has none: the end of what its queue has been given. */
static void mark(struct player *p, struct object *o)
{
    cl_event marker;

    CL_CHECK(clEnqueueMarkerWithWaitList(p->queue[o->at].handle, 0, NULL, &marker));
    remember(o, o->at, marker);
    CL_CHECK(clReleaseEvent(marker));
    CL_CHECK(clFlush(p->queue[o->at].handle));
}

void need(struct player *p, struct command *c, struct object *o)
{
    for (unsigned i = 0; i < c->n; i++)
        if (c->touched[i] == o)
            return;
    c->touched[c->n++] = o;
    if (o->at < 0 ||
        (o->at == place_of(p, c->q) && (c->q->ordered || o->fenced) && (!o->last || one_in(p, 2))))
        return;
    if (!o->last)
        mark(p, o);
    c->wait[c->nwait++] = o->last;
}

const cl_event *waits(const struct command *c)
{
    return c->nwait ? c->wait : NULL;
}

cl_event *event(struct player *p, struct command *c)
{
    return c->q->ordered && one_in(p, 2) ? NULL : &c->done;
}

static void CL_CALLBACK is_done(cl_event event, cl_int status, void *player)
{
    struct player *p = player;

    (void)event;
    if (status == CL_COMPLETE)
        atomic_fetch_add(&p->called, 1);
}

void end(struct player *p, struct command *c, cl_int error)
{
    if (!error)
        for (unsigned i = 0; i < c->n; i++)
            remember(c->touched[i], place_of(p, c->q), c->done);
    if (!error && c->done && p->calls_back && one_in(p, 6)) {
        CL_CHECK(clSetEventCallback(c->done, CL_COMPLETE, is_done, p));
        p->expected++;
    }
    if (!error && c->done && one_in(p, 12)) {
        may_wait(p);
        CL_CHECK(clWaitForEvents(1, &c->done));
    }
    if (c->done)
        CL_CHECK(clReleaseEvent(c->done));
    if (c->gate)
        CL_CHECK(clReleaseEvent(c->gate));
}

/* ---- commands that are there for others ------------------------------------------------------------ */

/* Behind all that its queue has been given; what comes after it in the queue needs no events. */
static cl_int barrier_behind_all(struct player *p, struct command *c)
{
    const int at = place_of(p, c->q);
    const cl_int error = clEnqueueBarrierWithWaitList(c->q->handle, 0, NULL, &c->done);

    for (unsigned i = 0; !error && i < OBJECTS; i++)
        if (p->object[i].at == at) {
            remember(&p->object[i], at, c->done);
            p->object[i].fenced = true;
        }
    return error;
}

/* Behind what some objects wait for, in whatever queue. */
static cl_int barrier_behind(struct player *p, struct command *c)
{
    cl_int error;

    for (unsigned i = 0; i < 3; i++)
        need(p, c, &p->object[upto(p, OBJECTS)]);
    error = clEnqueueBarrierWithWaitList(c->q->handle, c->nwait, waits(c), &c->done);
    for (unsigned i = 0; !error && c->nwait && i < c->n; i++) {
        remember(c->touched[i], place_of(p, c->q), c->done);
        c->touched[i]->fenced = true;
    }
    c->n = c->nwait && !error ? 0 : c->n; /* end() would take the fence away */
    return error;
}

void barrier(struct player *p)
{
    struct command c = begin(p);
    const bool all = one_in(p, 2);
    const cl_int error = all ? barrier_behind_all(p, &c) : barrier_behind(p, &c);

    say(p, "barrier behind %s: %d", all ? "all" : "some", error);
    end(p, &c, error);
}

void marker(struct player *p)
{
    struct command c = begin(p);
    cl_int error;

    for (unsigned i = 0; i < 3; i++)
        need(p, &c, &p->object[upto(p, OBJECTS)]);
    error = clEnqueueMarkerWithWaitList(c.q->handle, c.nwait, waits(&c), &c.done);
    say(p, "marker: %d", error);
    end(p, &c, error);
}

void migrate(struct player *p)
{
    struct object *a = any(p, INT), *b = another(p, one_in(p, 2) ? INT : IMAGE, a, NULL);
    const cl_mem both[] = {a->mem, b->mem};
    struct command c = begin(p);
    cl_int error;

    need(p, &c, a);
    need(p, &c, b);
    error = clEnqueueMigrateMemObjects(c.q->handle, 2, both, one_in(p, 2) ? CL_MIGRATE_MEM_OBJECT_HOST : 0,
                                       c.nwait, waits(&c), event(p, &c));
    say(p, "migrate %d, %d: %d", number_of(p, a), number_of(p, b), error);
    end(p, &c, error);
}

/* ---- queues ---------------------------------------------------------------------------------------- */

/* Drivers without queues out of order have one in order. */
void make_queue(struct player *p, struct queue *q)
{
    const cl_command_queue_properties timed = q->timed ? CL_QUEUE_PROFILING_ENABLE : 0;
    cl_int error = CL_SUCCESS;

    if (!q->ordered)
        q->handle = clCreateCommandQueue(p->app->context, p->app->device,
                                         timed | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    if (error == CL_INVALID_QUEUE_PROPERTIES)
        q->ordered = true;
    if (q->ordered)
        q->handle = clCreateCommandQueue(p->app->context, p->app->device, timed, &error);
    CL_CHECK(error);
}

void replace_queue(struct player *p, struct queue *q)
{
    may_wait(p);
    CL_CHECK(clFinish(q->handle));
    CL_CHECK(clReleaseCommandQueue(q->handle));
    make_queue(p, q);
    for (unsigned i = 0; i < OBJECTS; i++)
        if (p->object[i].at == place_of(p, q))
            remember(&p->object[i], -1, NULL);
}

void new_queue(struct player *p)
{
    replace_queue(p, &p->queue[upto(p, p->nqueue)]);
    say(p, "new queue");
}

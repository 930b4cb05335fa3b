/* launches.c - bursts of launches, and how programs go about setting a kernel's arguments. */
#include <pthread.h>

#include "calls.h"

void set_int(cl_kernel k, cl_uint i, int value)
{
    CL_CHECK(clSetKernelArg(k, i, sizeof value, &value));
}

/* ---- arguments ------------------------------------------------------------------------------------- */

/* A buffer, or a part of it. */
static void set_memory(struct player *p, cl_kernel k, cl_uint i, struct piece *m)
{
    const cl_buffer_region region = {m->from, m->bytes};
    cl_int error;

    if (m->of->kind == SVM) {
        pointer_argument(m->of, k, i, m->from);
        return;
    }
    if (!m->part && m->of->kind != IMAGE && (m->from || one_in(p, 5))) {
        m->part = clCreateSubBuffer(m->of->mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
        CL_CHECK(error);
    }
    CL_CHECK(clSetKernelArg(k, i, sizeof(cl_mem), m->part ? &m->part : &m->of->mem));
}

static void drop_parts(struct launch *l)
{
    for (unsigned i = 0; i < l->nmemory; i++) {
        if (l->memory[i].part)
            CL_CHECK(clReleaseMemObject(l->memory[i].part));
        l->memory[i].part = NULL;
    }
}

static cl_uint first_number(const struct launch *l)
{
    return l->nmemory + (l->local_bytes != 0);
}

static void set_numbers(const struct launch *l, cl_kernel k)
{
    for (cl_uint i = 0; i < l->nnumbers; i++)
        set_int(k, first_number(l) + i, l->number[i]);
}

static void set_all(struct player *p, struct launch *l, cl_kernel k)
{
    for (cl_uint i = 0; i < l->nmemory; i++)
        set_memory(p, k, i, &l->memory[i]);
    if (l->local_bytes)
        CL_CHECK(clSetKernelArg(k, l->nmemory, l->local_bytes, NULL));
    set_numbers(l, k);
}

/* What was launched must not see it. */
static void spoil(const struct launch *l, cl_kernel k)
{
    if (l->nnumbers)
        set_int(k, first_number(l), -1);
}

/* ---- one launch ------------------------------------------------------------------------------------ */

static void need_memory(struct player *p, struct command *c, const struct launch *l)
{
    for (unsigned i = 0; i < l->nmemory; i++)
        need(p, c, l->memory[i].of);
}

static cl_int enqueue(const struct launch *l, const struct command *c, cl_kernel k, cl_event *e)
{
    const bool offset = l->offset[0] || l->offset[1] || l->offset[2];

    return clEnqueueNDRangeKernel(c->q->handle, k, l->dim, offset ? l->offset : NULL, l->global,
                                  l->local[0] ? l->local : NULL, c->nwait, waits(c), e);
}

static cl_int launch(struct player *p, const struct launch *l, cl_kernel k)
{
    struct command c = begin(p);
    cl_int error;

    need_memory(p, &c, l);
    error = enqueue(l, &c, k, event(p, &c));
    end(p, &c, error);
    return error;
}

/* How a burst goes about it. */
struct habits {
    bool own;     /* a kernel of its own */
    bool hasty;   /* one for each launch, released at once */
    bool sparing; /* only what has changed is set */
    bool keeps;   /* the parts of buffers, till the end */
    bool swaps;   /* to and fro, so that the order shows */
};

static struct habits draw_habits(struct player *p, const struct launch *l)
{
    const struct piece *m = l->memory;
    const bool same = l->nmemory > 1 && m[0].of->kind == m[1].of->kind && m[0].bytes == m[1].bytes;
    struct habits h = {.own = one_in(p, 5), .sparing = one_in(p, 3), .keeps = one_in(p, 2)};

    h.hasty = h.own && one_in(p, 3);
    h.swaps = same && l->kernel != SLIDE && (l->kernel != BLEND || m[1].of != m[2].of);
    h.keeps |= h.sparing;
    return h;
}

static cl_int launch_once(struct player *p, struct launch *l, cl_kernel k, const struct habits *h, bool first)
{
    cl_int error;

    if (h->hasty)
        k = own_kernel(p, l->kernel);
    if (!h->sparing || h->hasty || h->swaps || first)
        set_all(p, l, k);
    else if (l->span)
        set_int(k, first_number(l) + l->counting, l->number[l->counting]);
    error = launch(p, l, k);
    if (h->hasty)
        CL_CHECK(clReleaseKernel(k));
    if (!h->keeps)
        drop_parts(l);
    if (!h->sparing && !h->hasty && one_in(p, 4))
        spoil(l, k);
    return error;
}

static void next_in_burst(struct launch *l, bool swaps)
{
    if (l->span)
        l->number[l->counting] = l->least + (l->number[l->counting] - l->least + l->step + l->span) % l->span;
    if (swaps) {
        const struct piece first = l->memory[0];
        l->memory[0] = l->memory[1];
        l->memory[1] = first;
    }
}

void launches(struct player *p)
{
    struct launch l = draw(p);
    const struct habits h = draw_habits(p, &l);
    const unsigned n = one_in(p, 3) ? 1 : 8 + upto(p, 20);
    const cl_kernel k = h.own && !h.hasty ? own_kernel(p, l.kernel) : p->kernel[l.kernel];
    cl_int error = CL_SUCCESS;

    for (unsigned i = 0; i < n; i++) {
        error |= launch_once(p, &l, k, &h, i == 0);
        next_in_burst(&l, h.swaps);
        if (one_in(p, 10)) {
            may_wait(p);
            CL_CHECK(clFinish(p->queue[upto(p, p->nqueue)].handle));
        }
    }
    drop_parts(&l);
    if (h.own && !h.hasty)
        CL_CHECK(clReleaseKernel(k));
    say(p, "%u of %s: %d", n, kernel_names[l.kernel], error);
}

/* ---- kernels with the arguments of another one ----------------------------------------------------- */

void cloned(struct player *p)
{
    struct launch l = draw(p);
    cl_kernel k = p->kernel[l.kernel], clone;
    cl_int error = CL_SUCCESS;

    if (!p->clones)
        return;
    set_all(p, &l, k);
    for (unsigned i = 0; i < 8 && !error; i++) {
        clone = clCloneKernel(k, &error);
        CL_CHECK(error);
        if (k != p->kernel[l.kernel])
            CL_CHECK(clReleaseKernel(k));
        else
            spoil(&l, k);
        error = launch(p, &l, clone);
        k = clone;
    }
    CL_CHECK(clReleaseKernel(k));
    drop_parts(&l);
    say(p, "clones of %s: %d", kernel_names[l.kernel], error);
}

/* ---- two threads with one kernel ------------------------------------------------------------------- */

/* One thread sets the arguments, another one launches; the program sees to it that they take turns. */
struct relay {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    bool others_turn, over;
    bool other_sets; /* else it launches */
    struct player *p;
    struct launch *l;
    cl_kernel kernel;
    struct command command;
    cl_int error;
};

static void launch_in_relay(struct relay *r)
{
    r->error |= enqueue(r->l, &r->command, r->kernel, &r->command.done);
}

static void *other_thread(void *relay)
{
    struct relay *r = relay;

    pthread_mutex_lock(&r->lock);
    while (!r->over) {
        if (r->others_turn && r->other_sets)
            set_all(r->p, r->l, r->kernel);
        else if (r->others_turn)
            launch_in_relay(r);
        r->others_turn = false;
        pthread_cond_signal(&r->turn);
        pthread_cond_wait(&r->turn, &r->lock);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void let_other(struct relay *r)
{
    r->others_turn = true;
    pthread_cond_signal(&r->turn);
    while (r->others_turn)
        pthread_cond_wait(&r->turn, &r->lock);
}

static void relay_once(struct relay *r)
{
    r->command = begin(r->p);
    need_memory(r->p, &r->command, r->l);
    if (r->other_sets) {
        let_other(r);
        launch_in_relay(r);
    } else {
        set_all(r->p, r->l, r->kernel);
        let_other(r);
    }
    end(r->p, &r->command, r->error);
    spoil(r->l, r->kernel);
    next_in_burst(r->l, false);
}

void relayed(struct player *p)
{
    struct launch l = draw(p);
    struct relay r = {.lock = PTHREAD_MUTEX_INITIALIZER,
                      .turn = PTHREAD_COND_INITIALIZER,
                      .other_sets = !one_in(p, 4),
                      .p = p,
                      .l = &l,
                      .kernel = p->kernel[l.kernel]};
    pthread_t other;

    pthread_mutex_lock(&r.lock);
    if (pthread_create(&other, NULL, other_thread, &r))
        exit(1);
    for (unsigned i = 0; i < 12 && !r.error; i++)
        relay_once(&r);
    r.over = true;
    pthread_cond_signal(&r.turn);
    pthread_mutex_unlock(&r.lock);
    pthread_join(other, NULL);
    drop_parts(&l);
    for (unsigned i = 0; !r.other_sets && i < p->nqueue; i++) /* two threads have used them */
        replace_queue(p, &p->queue[i]);
    say(p, "%s, by two threads: %d", kernel_names[l.kernel], r.error);
}

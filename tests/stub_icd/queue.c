/* queue.c - queues, launches, events: a command is an event that becomes complete. */
#include "calls.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ITEM_NS 10

static cl_event pending; /* commands and user events that are not complete, newest first; held */
static cl_ulong now = 1000000;
static bool faulty; /* a command failed: all behind it fail (STUB_FAULT) */

/* ---- completion ------------------------------------------------------------------------------------ */

static void call_back(cl_event e)
{
    struct stub_callback *c;

    while ((c = e->callbacks)) {
        e->callbacks = c->next;
        c->status = e->status < 0 ? e->status : c->type;
        stub_callback_due(c);
    }
}

static void complete(cl_event e, cl_int status)
{
    if (e->type != CL_COMMAND_USER && (faulty |= e->fault))
        status = CL_OUT_OF_RESOURCES;
    e->status = status;
    e->start = now + 100 + e->delay;
    e->end = now = e->start + e->duration;
    for (cl_uint i = 0; i < e->nwait; i++)
        stub_unhold(e->wait[i]);
    free(e->wait);
    e->wait = NULL;
    e->nwait = 0;
    stub_unhold(e->kernel);
    e->kernel = NULL;
    call_back(e);
    stub_changed();
}

/* Complete a command if nothing keeps it.  True if it did. */
static bool settle(cl_event e)
{
    cl_int status = CL_COMPLETE;

    if (!e->flushed || e->type == CL_COMMAND_USER)
        return false;
    for (cl_uint i = 0; i < e->nwait; i++) {
        if (e->wait[i]->status > CL_COMPLETE)
            return false;
        if (e->wait[i]->status < 0)
            status = stub_option("STUB_INHERIT") ? e->wait[i]->status
                                                 : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    complete(e, status);
    return true;
}

/* Everything that can be completed now, oldest first. */
static void settle_all(void)
{
    bool more = true;

    while (more) {
        cl_event oldest = NULL;
        cl_event *at = &pending, *of_oldest = NULL;
        for (; *at; at = &(*at)->next_pending)
            if ((*at)->status <= CL_COMPLETE) {
                of_oldest = at;
                break;
            }
        if (of_oldest) {
            oldest = *of_oldest;
            *of_oldest = oldest->next_pending;
            stub_unhold(oldest);
            continue;
        }
        more = false;
        for (cl_event e = pending; e; e = e->next_pending)
            if (e->flushed && e->type != CL_COMMAND_USER)
                oldest = e;
        for (cl_event e = oldest; e && !more; e = NULL)
            more = settle(e);
        for (cl_event e = pending; e && !more; e = e->next_pending)
            more = settle(e);
    }
}

static void flush(cl_command_queue q)
{
    for (cl_event e = pending; e; e = e->next_pending)
        if (!q || e->queue == q)
            e->flushed = true;
    settle_all();
}

static bool queue_busy(cl_command_queue q)
{
    for (cl_event e = pending; e; e = e->next_pending)
        if (e->queue == q)
            return true;
    return false;
}

cl_int stub_check_wait(cl_command_queue q, cl_uint n, const cl_event *list)
{
    if (!stub_is(q, QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!n != !list)
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < n; i++) {
        if (!stub_is(list[i], EVENT))
            return CL_INVALID_EVENT_WAIT_LIST;
        if (list[i]->context != q->context)
            return CL_INVALID_CONTEXT;
    }
    return CL_SUCCESS;
}

/* All that a command waits for; false when out of memory. */
static bool take_wait_list(cl_event e, cl_command_queue q, cl_uint n, const cl_event *list, bool everything)
{
    cl_uint room = n + 1;

    for (cl_event p = pending; everything && p; p = p->next_pending)
        room++;
    e->wait = calloc(room, sizeof(cl_event));
    if (!e->wait)
        return false;
    for (cl_uint i = 0; i < n; i++)
        e->wait[e->nwait++] = list[i];
    if (q->last)
        e->wait[e->nwait++] = q->last;
    for (cl_event p = pending; everything && p; p = p->next_pending)
        if (p->queue == q)
            e->wait[e->nwait++] = p;
    for (cl_uint i = 0; i < e->nwait; i++)
        stub_hold(e->wait[i]);
    return true;
}

static cl_event new_command(cl_command_queue q, cl_command_type type, cl_uint n, const cl_event *list)
{
    static unsigned numbers;
    cl_event e = stub_new(EVENT, sizeof *e);

    if (!e)
        return NULL;
    e->number = ++numbers;
    e->context = q->context;
    e->queue = q;
    stub_hold(q);
    stub_hold(q->context);
    e->type = type;
    e->status = CL_QUEUED;
    e->queued = now;
    e->flushed = !stub_lazy;
    take_wait_list(e, q, n, list,
                   !n && (type == CL_COMMAND_MARKER || type == CL_COMMAND_BARRIER) &&
                       q->bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    if (!(q->bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) || type == CL_COMMAND_BARRIER) {
        stub_unhold(q->last);
        q->last = e;
        stub_hold(e);
    }
    e->next_pending = pending;
    pending = e;
    stub_hold(e);
    return e;
}

/* The command is under way; the program gets its event, or nobody has one. */
static void start_command(cl_event e, bool blocking, cl_event *event)
{
    stub_hold(e);
    if (!event)
        e->o.refs = 0;
    if (blocking)
        flush(e->queue);
    else if (!stub_still)
        settle_all();
    while (blocking && e->status > CL_COMPLETE)
        stub_wait_change();
    if (event)
        *event = e;
    stub_unhold(e);
}

cl_int stub_command(cl_command_queue q, cl_command_type type, cl_uint n, const cl_event *list, bool blocking,
                    cl_ulong duration, cl_event *event)
{
    cl_event e = new_command(q, type, n, list);

    if (!e)
        return CL_OUT_OF_HOST_MEMORY;
    e->duration = duration;
    start_command(e, blocking, event);
    return CL_SUCCESS;
}

/* ---- queues ---------------------------------------------------------------------------------------- */

static cl_command_queue new_queue(cl_context context, cl_device_id device, cl_command_queue_properties bits,
                                  cl_int *error)
{
    const cl_command_queue_properties known = CL_QUEUE_PROFILING_ENABLE |
                                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE |
                                              CL_QUEUE_ON_DEVICE_DEFAULT;
    cl_command_queue q = NULL;

    if (!stub_is(context, CONTEXT))
        *error = CL_INVALID_CONTEXT;
    else if (!stub_is(device, DEVICE))
        *error = CL_INVALID_DEVICE;
    else if (bits & ~known)
        *error = CL_INVALID_VALUE;
    else if (bits & CL_QUEUE_PROFILING_ENABLE && stub_option("STUB_UNTIMED"))
        *error = CL_INVALID_QUEUE_PROPERTIES;
    else if (bits & CL_QUEUE_ON_DEVICE && !stub_option("STUB_ON_DEVICE"))
        *error = CL_INVALID_QUEUE_PROPERTIES;
    else if ((q = stub_new(QUEUE, sizeof *q)))
        *q = (struct _cl_command_queue){.o = q->o, .context = context, .device = device, .bits = bits};
    return q;
}

STUB_CALL(cl_command_queue, clCreateCommandQueue)
(cl_context context, cl_device_id device, cl_command_queue_properties bits, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateCommandQueue");
    cl_command_queue q = error ? NULL : new_queue(context, device, bits, &error);

    return stub_made(q, error, errcode_ret, "oox", context, device, X(bits));
}

STUB_CALL(cl_command_queue, clCreateCommandQueueWithProperties)
(cl_context context, cl_device_id device, const cl_queue_properties *list, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateCommandQueueWithProperties");
    cl_command_queue_properties bits = 0;
    cl_command_queue q = NULL;
    size_t n = 0;

    for (; !error && list && list[n]; n += 2)
        if (list[n] == CL_QUEUE_PROPERTIES && !n) /* as drivers do: nothing twice */
            bits = list[n + 1];
        else
            error = CL_INVALID_VALUE;
    if (!error && (q = new_queue(context, device, bits, &error)) && list) {
        q->nproperties = n + 1;
        memcpy(q->properties, list, (n + 1) * sizeof *list);
    }
    return stub_made(q, error, errcode_ret, "oox", context, device, X(bits));
}

STUB_CALL(cl_int, clRetainCommandQueue)(cl_command_queue q)
{
    const cl_int error = stub_begin("clRetainCommandQueue");

    return stub_end(error ? error : stub_retain(q, QUEUE, CL_INVALID_COMMAND_QUEUE), "o", q);
}

STUB_CALL(cl_int, clReleaseCommandQueue)(cl_command_queue q)
{
    cl_int error = stub_begin("clReleaseCommandQueue");

    if (!error && stub_is(q, QUEUE)) {
        flush(q);
        stub_unhold(q->last);
        q->last = NULL;
    }
    return stub_end(error ? error : stub_release(q, QUEUE, CL_INVALID_COMMAND_QUEUE), "o", q);
}

STUB_CALL(cl_int, clGetCommandQueueInfo)
(cl_command_queue q, cl_command_queue_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetCommandQueueInfo");

    if (!error && !stub_is(q, QUEUE))
        error = CL_INVALID_COMMAND_QUEUE;
    if (!error)
        switch (name) {
        case CL_QUEUE_CONTEXT:
            error = ANSWER(cl_context, q->context);
            break;
        case CL_QUEUE_DEVICE:
            error = ANSWER(cl_device_id, q->device);
            break;
        case CL_QUEUE_REFERENCE_COUNT:
            error = ANSWER(cl_uint, q->o.refs);
            break;
        case CL_QUEUE_PROPERTIES:
            error = ANSWER(cl_command_queue_properties, q->bits);
            break;
        case CL_QUEUE_PROPERTIES_ARRAY:
            error = stub_answer(q->properties, q->nproperties * sizeof *q->properties, size, value, size_ret);
            break;
        case CL_QUEUE_DEVICE_DEFAULT:
            error = ANSWER(cl_command_queue, NULL);
            break;
        default:
            error = CL_INVALID_VALUE;
        }
    return stub_end(error, "oxupp", q, X(name), size, value, size_ret);
}

STUB_CALL(cl_int, clSetCommandQueueProperty)
(cl_command_queue q, cl_command_queue_properties bits, cl_bool enable, cl_command_queue_properties *old)
{
    cl_int error = stub_begin("clSetCommandQueueProperty");

    if (!error && !stub_is(q, QUEUE))
        error = CL_INVALID_COMMAND_QUEUE;
    if (!error && old)
        *old = q->bits;
    if (!error)
        q->bits = enable ? q->bits | bits : q->bits & ~bits;
    return stub_end(error, "oxup", q, X(bits), U(enable), old);
}

STUB_CALL(cl_int, clFlush)(cl_command_queue q)
{
    cl_int error = stub_begin("clFlush");

    if (!error && !stub_is(q, QUEUE))
        error = CL_INVALID_COMMAND_QUEUE;
    if (!error && !stub_still)
        flush(q);
    return stub_end(error, "o", q);
}

STUB_CALL(cl_int, clFinish)(cl_command_queue q)
{
    cl_int error;

    stub_may_end();
    error = stub_begin("clFinish");
    if (!error && !stub_is(q, QUEUE))
        error = CL_INVALID_COMMAND_QUEUE;
    if (!error)
        flush(q);
    while (!error && queue_busy(q))
        stub_wait_change();
    if (!error && faulty)
        error = CL_OUT_OF_RESOURCES;
    return stub_end(error, "o", q);
}

/* ---- launches -------------------------------------------------------------------------------------- */

/* Nanoseconds that a launch takes, as STUB_COST says. */
static cl_ulong launch_ns(cl_uint dim, const size_t *global, const size_t *local)
{
    size_t items = 1, group = 1;

    for (cl_uint d = 0; d < dim; d++) {
        items *= global[d];
        group *= local ? local[d] : 1;
    }
    if (stub_cost == COST_NONE)
        return 0;
    if (stub_cost == COST_LOCAL)
        return items * ITEM_NS + items * 4 * ITEM_NS / (local ? group : 64);
    return items * ITEM_NS;
}

/* STUB_MOST, STUB_LEAST: a compiler that ends the process. */
static void check_group(size_t items)
{
    const size_t most = stub_number("STUB_MOST");

    if ((most && items > most) || items < stub_number("STUB_LEAST")) {
        fprintf(stderr, "stub: a group of %zu work-items\n", items);
        abort();
    }
}

/* STUB_GROUPS: what a device makes of too many groups nobody knows. */
static void check_groups(cl_uint dim, const size_t *global, const size_t *local)
{
    const size_t most = stub_number("STUB_GROUPS");

    for (cl_uint d = 1; most && local && d < dim; d++)
        if (global[d] / local[d] > most) {
            fprintf(stderr, "stub: %zu work-groups along dimension %u\n", global[d] / local[d], d);
            abort();
        }
}

static cl_int check_launch(cl_command_queue q, cl_kernel k, cl_uint dim, const size_t *offset,
                           const size_t *global, const size_t *local, cl_uint n, const cl_event *list)
{
    const size_t largest = stub_number("STUB_LARGEST");
    size_t group = 1;

    if (!stub_is(q, QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!stub_is(k, KERNEL))
        return CL_INVALID_KERNEL;
    if (k->program->context != q->context)
        return CL_INVALID_CONTEXT;
    if (k->set != (k->function->nargs == 32 ? ~0u : (1u << k->function->nargs) - 1))
        return CL_INVALID_KERNEL_ARGS;
    if (dim < 1 || dim > 3)
        return CL_INVALID_WORK_DIMENSION;
    if (offset && stub_version() < 110)
        return CL_INVALID_GLOBAL_OFFSET;
    for (cl_uint d = 0; d < dim; d++) {
        if (!global || !global[d])
            return CL_INVALID_GLOBAL_WORK_SIZE;
        if (local && (!local[d] || global[d] % local[d]))
            return CL_INVALID_WORK_GROUP_SIZE;
        if (local && local[d] > (d == 2 ? 64 : 1024))
            return CL_INVALID_WORK_ITEM_SIZE;
        group *= local ? local[d] : 1;
    }
    if (group > 1024)
        return CL_INVALID_WORK_GROUP_SIZE;
    check_groups(dim, global, local);
    if (local)
        check_group(group);
    return largest && group > largest ? CL_OUT_OF_RESOURCES : stub_check_wait(q, n, list);
}

static size_t group_items(cl_uint dim, const size_t *local)
{
    size_t items = 1;

    for (cl_uint d = 0; local && d < dim; d++)
        items *= local[d];
    return items;
}

static cl_int launch(cl_command_queue q, cl_kernel k, cl_uint dim, const size_t *offset, const size_t *global,
                     const size_t *local, cl_uint n, const cl_event *list, cl_command_type type,
                     cl_event *event)
{
    const size_t sound = stub_number("STUB_FAULT");
    cl_int error = check_launch(q, k, dim, offset, global, local, n, list);
    cl_event e = error ? NULL : new_command(q, type, n, list);

    if (error)
        return error;
    if (!e)
        return CL_OUT_OF_HOST_MEMORY;
    e->duration = launch_ns(dim, global, local);
    e->delay = stub_number("STUB_BUSY");
    e->fault = sound && group_items(dim, local) > sound;
    e->kernel = k;
    stub_hold(k);
    start_command(e, false, event);
    return CL_SUCCESS;
}

STUB_CALL(cl_int, clEnqueueNDRangeKernel)
(cl_command_queue q, cl_kernel k, cl_uint dim, const size_t *offset, const size_t *global,
 const size_t *local, cl_uint n, const cl_event *list, cl_event *event)
{
    const size_t shown = dim <= 3 ? dim : 0;
    const char *pause = stub_option("STUB_PAUSE");
    cl_int error;

    if (pause)
        nanosleep(&(struct timespec){.tv_nsec = atol(pause) * 1000}, NULL);
    error = stub_begin("clEnqueueNDRangeKernel");
    if (!error)
        error = launch(q, k, dim, offset, global, local, n, list, CL_COMMAND_NDRANGE_KERNEL, event);
    return stub_end(error, "oouzzzOo", q, k, U(dim), shown, offset, shown, global, shown, local, U(n), list,
                    event && !error ? *event : NULL);
}

STUB_CALL(cl_int, clEnqueueTask)
(cl_command_queue q, cl_kernel k, cl_uint n, const cl_event *list, cl_event *event)
{
    static const size_t one = 1;
    cl_int error = stub_begin("clEnqueueTask");

    if (!error)
        error = launch(q, k, 1, NULL, &one, &one, n, list, CL_COMMAND_TASK, event);
    return stub_end(error, "ooOo", q, k, U(n), list, event && !error ? *event : NULL);
}

/* ---- events ---------------------------------------------------------------------------------------- */

void stub_drop_event(cl_event e)
{
    struct stub_callback *c;

    while ((c = e->callbacks)) {
        e->callbacks = c->next;
        free(c);
    }
    stub_unhold(e->queue);
    stub_unhold(e->context);
}

STUB_CALL(cl_event, clCreateUserEvent)(cl_context context, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateUserEvent");
    cl_event e = NULL;

    if (!error && !stub_is(context, CONTEXT))
        error = CL_INVALID_CONTEXT;
    if (!error && (e = stub_new(EVENT, sizeof *e))) {
        e->context = context;
        stub_hold(context);
        e->type = CL_COMMAND_USER;
        e->status = CL_SUBMITTED;
    }
    return stub_made(e, error, errcode_ret, "o", context);
}

STUB_CALL(cl_int, clSetUserEventStatus)(cl_event e, cl_int status)
{
    cl_int error = stub_begin("clSetUserEventStatus");

    if (!error && !(stub_is(e, EVENT) && e->type == CL_COMMAND_USER))
        error = CL_INVALID_EVENT;
    if (!error && status > 0)
        error = CL_INVALID_VALUE;
    if (!error && e->decided)
        error = CL_INVALID_OPERATION;
    if (!error) {
        e->decided = true;
        complete(e, status);
        settle_all();
    }
    return stub_end(error, "od", e, status);
}

STUB_CALL(cl_int, clWaitForEvents)(cl_uint n, const cl_event *list)
{
    cl_int error;

    stub_may_end();
    error = stub_begin("clWaitForEvents");
    if (!error && (!n || !list))
        error = CL_INVALID_VALUE;
    for (cl_uint i = 0; !error && i < n; i++)
        error = stub_is(list[i], EVENT) ? CL_SUCCESS : CL_INVALID_EVENT;
    for (cl_uint i = 0; !error && i < n; i++) {
        flush(list[i]->queue);
        stub_hold(list[i]);
        while (list[i]->status > CL_COMPLETE)
            stub_wait_change();
        if (list[i]->status < 0)
            error = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        stub_unhold(list[i]);
    }
    return stub_end(error, "O", U(n), list);
}

STUB_CALL(cl_int, clGetEventInfo)(cl_event e, cl_event_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetEventInfo");

    if (!error && !stub_is(e, EVENT))
        error = CL_INVALID_EVENT;
    if (!error)
        switch (name) {
        case CL_EVENT_COMMAND_QUEUE:
            error = ANSWER(cl_command_queue, e->queue);
            break;
        case CL_EVENT_COMMAND_TYPE:
            error = ANSWER(cl_command_type, e->type);
            break;
        case CL_EVENT_CONTEXT:
            error = ANSWER(cl_context, e->context);
            break;
        case CL_EVENT_COMMAND_EXECUTION_STATUS:
            error = ANSWER(cl_int, e->status);
            break;
        case CL_EVENT_REFERENCE_COUNT:
            error = ANSWER(cl_uint, e->o.refs);
            break;
        default:
            error = CL_INVALID_VALUE;
        }
    return stub_end(error, "oxupp", e, X(name), size, value, size_ret);
}

STUB_CALL(cl_int, clRetainEvent)(cl_event e)
{
    const cl_int error = stub_begin("clRetainEvent");

    return stub_end(error ? error : stub_retain(e, EVENT, CL_INVALID_EVENT), "o", e);
}

STUB_CALL(cl_int, clReleaseEvent)(cl_event e)
{
    const cl_int error = stub_begin("clReleaseEvent");

    return stub_end(error ? error : stub_release(e, EVENT, CL_INVALID_EVENT), "o", e);
}

/* The times that a driver tells (STUB_TIMES). */
static cl_int tell_time(cl_event e, cl_profiling_info name, size_t size, void *value, size_t *size_ret)
{
    const bool zero = stub_chosen("STUB_TIMES", "late") && e->number < 4,
               back = stub_chosen("STUB_TIMES", "backward") && e->number % 3 == 0;

    if (stub_chosen("STUB_TIMES", "missing"))
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    if (stub_chosen("STUB_TIMES", "silent"))
        return CL_SUCCESS;
    switch (name) {
    case CL_PROFILING_COMMAND_QUEUED:
    case CL_PROFILING_COMMAND_SUBMIT:
        return ANSWER(cl_ulong, stub_chosen("STUB_TIMES", "clocks") ? 0 : e->queued);
    case CL_PROFILING_COMMAND_START:
        return ANSWER(cl_ulong, back ? e->end : e->start);
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE:
        return ANSWER(cl_ulong, back || zero ? e->start : e->end);
    default:
        return CL_INVALID_VALUE;
    }
}

STUB_CALL(cl_int, clGetEventProfilingInfo)
(cl_event e, cl_profiling_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetEventProfilingInfo");

    if (!error && !stub_is(e, EVENT))
        error = CL_INVALID_EVENT;
    if (!error && (!e->queue || !(e->queue->bits & CL_QUEUE_PROFILING_ENABLE) || e->status != CL_COMPLETE))
        error = CL_PROFILING_INFO_NOT_AVAILABLE;
    if (!error)
        error = tell_time(e, name, size, value, size_ret);
    return stub_end(error, "oxupp", e, X(name), size, value, size_ret);
}

STUB_CALL(cl_int, clSetEventCallback)
(cl_event e, cl_int type, void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *data)
{
    cl_int error = stub_begin("clSetEventCallback");
    struct stub_callback *c = NULL;

    if (!error && !stub_is(e, EVENT))
        error = CL_INVALID_EVENT;
    if (!error && (!notify || type < CL_COMPLETE || type > CL_SUBMITTED))
        error = CL_INVALID_VALUE;
    if (!error && (c = calloc(1, sizeof *c))) {
        *c = (struct stub_callback){
            .notify = notify, .data = data, .type = type, .event = e, .next = e->callbacks};
        stub_hold(e);
        e->callbacks = c;
        if (e->status <= CL_COMPLETE)
            call_back(e);
    }
    return stub_end(error, "odpp", e, type, notify, data);
}

/* copy_arg.c - see copy_arg.h. */
#include "shim/object/copy_arg.h"
#include <string.h>
#include "shim/guest/next.h"

bool copy_arg_possible(const struct shim_arg *a)
{
    return a->set && a->form != ARG_OPAQUE && a->form != ARG_USM && (a->local || a->size <= OBJ_ARG_BYTES);
}

/* The value is aligned as every type that is kept whole must be: the driver may load it as such. */
bool copy_arg(cl_kernel to, cl_uint index, const struct shim_arg *a)
{
    _Alignas(OBJ_ARG_BYTES) unsigned char value[OBJ_ARG_BYTES];
    void *pointer;

    if (!copy_arg_possible(a))
        return false;
    memcpy(value, a->value, sizeof value);
    if (a->form != ARG_SVM)
        return next()->clSetKernelArg(to, index, a->size, a->local ? NULL : value) == CL_SUCCESS;
    memcpy(&pointer, value, sizeof pointer);
    return next()->clSetKernelArgSVMPointer(to, index, pointer) == CL_SUCCESS;
}

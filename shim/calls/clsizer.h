/* clsizer.h - what an OpenCL program may ask of clsizer, if that is there.
 *
 * Nothing is linked.  The functions are found as those of an OpenCL extension are; without clsizer there are
 * none, and the program goes on without:
 *
 *     clsizerAddKernelVariant_fn add = (clsizerAddKernelVariant_fn)
 *         clGetExtensionFunctionAddressForPlatform(platform, "clsizerAddKernelVariant");
 *
 *     if (add)
 *         add(kernel, &(struct clsizer_variant){.size = sizeof(struct clsizer_variant),
 *                                               .kernel = faster, .units = {8, 1, 1}});
 *
 * A complete example is tests/apps/offer.c in clsizer's sources. */
#ifndef CLSIZER_H
#define CLSIZER_H

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLSIZER_LOCAL_SIZES 8

/* Another kernel for the same work.  Its arguments are those of the program's kernel, in number and meaning.
 * What is 0 has its default; what is pointed to is copied. */
struct clsizer_variant {
    size_t size;                          /* sizeof(struct clsizer_variant) */
    cl_kernel kernel;                     /* it, of a program that was made from OpenCL C; else NULL, and: */
    const char *source, *name;            /* ... its OpenCL C, and its name there */
    const char *options;                  /* ... build options; NULL: those of the program's kernel */
    size_t units[3];                      /* work-items of the program's kernel that one of its does */
    cl_uint num_local;                    /* how many local sizes it may have; 0: any */
    size_t local[CLSIZER_LOCAL_SIZES][3]; /* they; in its own work-items */
    double tolerance; /* how far its floating-point results may be off, relative to the larger; 0: they
                         are the same bits */
};

/* Offer a variant of `kernel`, before that is first launched; later ones are looked at for shapes of launches
 * that are not decided yet.  It is for all kernels of that name in programs of that source and options.
 * Offering one again is no error and changes nothing.
 *
 * Before it is used it runs on copies and must write what the program's kernel writes.  Then it competes;
 * each launch that is measured does its work.  A variant that is not built, or is wrong, is named on stderr
 * and in the report, and the program's kernel goes on.
 *
 *   CL_SUCCESS             it is noted
 *   CL_INVALID_OPERATION   clsizer is off, or this is a forked process
 *   CL_INVALID_KERNEL      `kernel`, or the variant's, is no kernel
 *   CL_INVALID_PROGRAM     one of them is not from a program made from OpenCL C
 *   CL_INVALID_VALUE       a member is not as described; stderr says which
 *   CL_OUT_OF_HOST_MEMORY
 */
typedef cl_int(CL_API_CALL *clsizerAddKernelVariant_fn)(cl_kernel kernel,
                                                        const struct clsizer_variant *variant);

/* CL_TRUE: from the next launch of `kernel` on, find out which size and variant is best, whatever that costs
 * (as with --effort patient); every launch still does its work.  CL_FALSE: measure nothing, launch as was
 * decided, or as the program asks.  Before either, clsizer measures when it expects to gain by it.  Where the
 * user has asked for another effort, or for no measuring, that counts.  A decision stands until times drift.
 * Returns CL_SUCCESS, CL_INVALID_OPERATION or CL_INVALID_KERNEL, as above. */
typedef cl_int(CL_API_CALL *clsizerProfile_fn)(cl_kernel kernel, cl_bool on);

#ifdef __cplusplus
}
#endif

#endif

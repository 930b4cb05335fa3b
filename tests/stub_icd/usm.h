/* usm.h - the functions of cl_intel_unified_shared_memory and cl_khr_unified_svm that are no other's. */
#pragma once

#include "calls.h"

void *CL_API_CALL stub_alloc_anywhere(cl_context context, const cl_ulong *properties, size_t size,
                                      cl_uint alignment, cl_int *errcode_ret);
void *CL_API_CALL stub_alloc_for_device(cl_context context, cl_device_id device, const cl_ulong *properties,
                                        size_t size, cl_uint alignment, cl_int *errcode_ret);
cl_int CL_API_CALL stub_free_memory(cl_context context, void *memory);
void *CL_API_CALL stub_alloc_of_type(cl_context context, const cl_ulong *properties, cl_uint type,
                                     size_t size, cl_int *errcode_ret);
cl_int CL_API_CALL stub_free_of_type(cl_context context, const cl_ulong *properties, cl_ulong flags,
                                     void *memory);
cl_int CL_API_CALL stub_ask_pointer(cl_context context, cl_device_id device, const void *memory, cl_uint name,
                                    size_t size, void *value, size_t *size_ret);
cl_int CL_API_CALL stub_set_memory(cl_command_queue q, void *to, cl_int value, size_t size, cl_uint n,
                                   const cl_event *list, cl_event *event);
cl_int CL_API_CALL stub_migrate_memory(cl_command_queue q, const void *memory, size_t size,
                                       cl_mem_migration_flags flags, cl_uint n, const cl_event *list,
                                       cl_event *event);
cl_int CL_API_CALL stub_advise_memory(cl_command_queue q, const void *memory, size_t size, cl_uint advice,
                                      cl_uint n, const cl_event *list, cl_event *event);

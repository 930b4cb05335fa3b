/* dispatch.h - what happens at clEnqueueNDRangeKernel: who decides about a launch. */
#pragma once

#include "shim/site/launching.h"

/* clEnqueueNDRangeKernel as the application sees it.  Returns what the driver returned. */
cl_int dispatch_launch(const struct call *c);

/* A launch is recorded into a command buffer: report that it is left alone. */
void dispatch_recorded(const struct call *c);

/* kmeans - the assignment step of k-means: every point finds its nearest centre.
 *
 * Features are stored one after the other for all points (structure of arrays).  The branch that keeps the
 * minimum depends on memory, the amount of work does not.
 *
 * >>> kmeans: tuned
 */
#include "common.h"

#include <float.h>

#define CENTRES  8
#define FEATURES 16

static const char *source =
    "__kernel void kmeans(__global const float *feature, __constant float *centre, __global int *nearest,\n"
    "                     int points, int centres, int features)\n"
    "{\n"
    "    int p = get_global_id(0);\n"
    "    float best = FLT_MAX;\n"
    "    int index = 0;\n"
    "    for (int c = 0; c < centres; c++) {\n"
    "        float distance = 0.0f;\n"
    "        for (int f = 0; f < features; f++) {\n"
    "            float d = feature[f * points + p] - centre[c * features + f];\n"
    "            distance += d * d;\n"
    "        }\n"
    "        if (distance < best) {\n"
    "            best = distance;\n"
    "            index = c;\n"
    "        }\n"
    "    }\n"
    "    nearest[p] = index;\n"
    "}\n";

static float distance(const float *feature, const float *centre, size_t points, size_t p, size_t c)
{
    float sum = 0.0f;
    for (size_t f = 0; f < FEATURES; f++) {
        float d = feature[f * points + p] - centre[c * FEATURES + f];
        sum += d * d;
    }
    return sum;
}

/* The device may round the last bit differently: its choice is right when no centre is
 * nearer by more than that. */
static bool is_nearest(const float *feature, const float *centre, size_t points, size_t p, cl_int chosen)
{
    if (chosen < 0 || chosen >= CENTRES)
        return false;
    float best = FLT_MAX;
    for (size_t c = 0; c < CENTRES; c++) {
        float d = distance(feature, centre, points, p, c);
        best = d < best ? d : best;
    }
    return distance(feature, centre, points, p, (size_t)chosen) <= best * 1.0001f;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "kmeans", argc, argv, (struct app_defaults){1 << 17, 50, 512, 3});
    size_t n = app.n, bytes = n * sizeof(cl_int);
    const cl_int points = (cl_int)n, centres = CENTRES, features = FEATURES;
    float *feature = app_random_floats(n * FEATURES, 1), *centre = app_random_floats(CENTRES * FEATURES, 2);
    cl_int *nearest = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "kmeans");
    cl_mem dfeature = app_buffer(&app, n * FEATURES * sizeof(float), feature);
    cl_mem dcentre = app_buffer(&app, CENTRES * FEATURES * sizeof(float), centre);
    cl_mem dnearest = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof dfeature, &dfeature));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dcentre, &dcentre));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof dnearest, &dnearest));
    CL_CHECK(clSetKernelArg(kernel, 3, sizeof points, &points));
    CL_CHECK(clSetKernelArg(kernel, 4, sizeof centres, &centres));
    CL_CHECK(clSetKernelArg(kernel, 5, sizeof features, &features));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){256, 1, 1});

    app_read(&app, dnearest, bytes, nearest);
    for (size_t p = 0; p < n; p++)
        app_expect_int(&app, p, is_nearest(feature, centre, n, p, nearest[p]), true);
    app_checksum(&app, "nearest", nearest, bytes);

    CL_CHECK(clReleaseMemObject(dfeature));
    CL_CHECK(clReleaseMemObject(dcentre));
    CL_CHECK(clReleaseMemObject(dnearest));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(feature);
    free(centre);
    free(nearest);
    return app_end(&app);
}

/* spmv - sparse matrix times vector, compressed sparse rows, one work-item per row.
 *
 * Row lengths come from memory and differ by two orders of magnitude: the work is not uniform, so one slice
 * says little about the next, and only whole launches can be compared.
 *
 * >>> spmv: tuned
 */
#include "common.h"

static const char *source = "__kernel void spmv(__global const int *row_start, __global const int *column, "
                            "__global const float *value,\n"
                            "                   __global const float *x, __global float *y)\n"
                            "{\n"
                            "    int row = get_global_id(0);\n"
                            "    float sum = 0.0f;\n"
                            "    for (int i = row_start[row]; i < row_start[row + 1]; i++)\n"
                            "        sum += value[i] * x[column[i]];\n"
                            "    y[row] = sum;\n"
                            "}\n";

/* Mostly short rows; every 64th is long.  Returns the number of entries. */
static cl_int make_rows(cl_int *row_start, size_t rows)
{
    uint32_t seed = 7;
    cl_int entries = 0;
    for (size_t row = 0; row < rows; row++) {
        row_start[row] = entries;
        entries += (cl_int)(1 + app_random(&seed) % 8 + (row % 64 == 0 ? app_random(&seed) % 256 : 0));
    }
    row_start[rows] = entries;
    return entries;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "spmv", argc, argv, (struct app_defaults){1 << 18, 400, 512, 3});
    size_t rows = app.n, bytes = rows * sizeof(float);
    cl_int *row_start = app_alloc((rows + 1) * sizeof *row_start);
    size_t entries = (size_t)make_rows(row_start, rows);
    cl_int *column = app_alloc(entries * sizeof *column);
    uint32_t seed = 8;
    for (size_t i = 0; i < entries; i++)
        column[i] = (cl_int)(app_random(&seed) % rows);
    float *value = app_random_floats(entries, 1), *x = app_random_floats(rows, 2), *y = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "spmv");
    cl_mem args[5] = {app_buffer(&app, (rows + 1) * sizeof *row_start, row_start),
                      app_buffer(&app, entries * sizeof *column, column),
                      app_buffer(&app, entries * sizeof *value, value), app_buffer(&app, bytes, x),
                      app_buffer(&app, bytes, NULL)};
    for (cl_uint i = 0; i < 5; i++)
        CL_CHECK(clSetKernelArg(kernel, i, sizeof args[i], &args[i]));
    app_run(&app, kernel, 1, NULL, &rows, (size_t[]){64, 1, 1});

    app_read(&app, args[4], bytes, y);
    for (size_t row = 0; row < rows; row++) {
        float sum = 0.0f;
        for (cl_int i = row_start[row]; i < row_start[row + 1]; i++)
            sum += value[i] * x[column[i]];
        app_expect_near(&app, row, y[row], sum);
    }
    app_checksum(&app, "y", y, bytes);

    for (cl_uint i = 0; i < 5; i++)
        CL_CHECK(clReleaseMemObject(args[i]));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(row_start);
    free(column);
    free(value);
    free(x);
    free(y);
    return app_end(&app);
}

/* csr - sparse matrix times vector, compressed sparse rows, with rows that grow along the range.
 *
 * One work-item per row, as in spmv, but of an upper triangular band: the first rows are a hundred times as
 * long as the last.  A slice from the front says nothing about one from the back, so sizes can only be
 * compared on the same rows; and the time of the whole is that of the groups at the front.
 *
 * >>> csr: tuned
 */
#include "common.h"

#define LONGEST 200

static const char *source =
    "__kernel void csr(__global const int *start, __global const int *column, __global const "
    "float *value,\n"
    "                  __global const float *x, __global float *y, int rows)\n"
    "{\n"
    "    int row = get_global_id(0);\n"
    "    if (row >= rows)\n"
    "        return;\n"
    "    float sum = 0.0f;\n"
    "    for (int i = start[row]; i < start[row + 1]; i++)\n"
    "        sum += value[i] * x[column[i]];\n"
    "    y[row] = sum;\n"
    "}\n";

/* Row lengths fall from LONGEST to 1 with the square of the way along the range.  Returns
 * the number of entries. */
static size_t make_rows(cl_int *start, size_t rows)
{
    size_t entries = 0;
    for (size_t row = 0; row < rows; row++) {
        double left = 1 - (double)row / (double)rows;
        start[row] = (cl_int)entries;
        entries += 1 + (size_t)(LONGEST * left * left);
    }
    start[rows] = (cl_int)entries;
    return entries;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "csr", argc, argv, (struct app_defaults){100000, 60, 500, 3});
    size_t rows = app.n, bytes = rows * sizeof(float), global = (rows + 127) / 128 * 128;
    cl_int *start = app_alloc((rows + 1) * sizeof *start), count = (cl_int)rows;
    size_t entries = make_rows(start, rows);
    cl_int *column = app_alloc(entries * sizeof *column);
    for (size_t row = 0; row < rows; row++)
        for (cl_int i = start[row]; i < start[row + 1]; i++)
            column[i] = (cl_int)((row + (size_t)(i - start[row])) % rows);
    float *value = app_random_floats(entries, 1), *x = app_random_floats(rows, 2), *y = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "csr");
    cl_mem args[5] = {app_buffer(&app, (rows + 1) * sizeof *start, start),
                      app_buffer(&app, entries * sizeof *column, column),
                      app_buffer(&app, entries * sizeof *value, value), app_buffer(&app, bytes, x),
                      app_buffer(&app, bytes, NULL)};
    for (cl_uint i = 0; i < 5; i++)
        CL_CHECK(clSetKernelArg(kernel, i, sizeof args[i], &args[i]));
    CL_CHECK(clSetKernelArg(kernel, 5, sizeof count, &count));
    app_run(&app, kernel, 1, NULL, &global, (size_t[]){128, 1, 1});

    app_read(&app, args[4], bytes, y);
    for (size_t row = 0; row < rows; row++) {
        float sum = 0.0f;
        for (cl_int i = start[row]; i < start[row + 1]; i++)
            sum += value[i] * x[column[i]];
        app_expect_near(&app, row, y[row], sum);
    }
    app_checksum(&app, "y", y, bytes);

    for (cl_uint i = 0; i < 5; i++)
        CL_CHECK(clReleaseMemObject(args[i]));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(start);
    free(column);
    free(value);
    free(x);
    free(y);
    return app_end(&app);
}

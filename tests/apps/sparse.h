/* sparse.h - sparse matrix times vector, compressed sparse rows: what spmv and csr do once they have a
 * matrix. */
#pragma once

#include "common.h"

struct sparse {
    size_t rows, entries;
    cl_int *start, *column; /* owned: rows + 1, entries */
};

/* Run `kernel` (start, column, value, x, y, and the number of rows if it has a sixth argument) over `global`
 * rows, compare, free the matrix, and return the exit status. */
static int sparse_run(struct app *app, cl_program program, const char *name, struct sparse *m, size_t global,
                      size_t local)
{
    const size_t bytes = m->rows * sizeof(float);
    float *value = app_random_floats(m->entries, 1), *x = app_random_floats(m->rows, 2),
          *y = app_alloc(bytes);
    cl_kernel kernel = app_kernel(program, name);
    cl_mem args[5] = {app_buffer(app, (m->rows + 1) * sizeof *m->start, m->start),
                      app_buffer(app, m->entries * sizeof *m->column, m->column),
                      app_buffer(app, m->entries * sizeof *value, value), app_buffer(app, bytes, x),
                      app_buffer(app, bytes, NULL)};
    const cl_int rows = (cl_int)m->rows;
    cl_uint nargs = 0;

    CL_CHECK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof nargs, &nargs, NULL));
    for (cl_uint i = 0; i < 5; i++)
        CL_CHECK(clSetKernelArg(kernel, i, sizeof args[i], &args[i]));
    if (nargs > 5)
        CL_CHECK(clSetKernelArg(kernel, 5, sizeof rows, &rows));
    app_run(app, kernel, 1, NULL, &global, (size_t[]){local, 1, 1});

    app_read(app, args[4], bytes, y);
    for (size_t row = 0; row < m->rows; row++) {
        float sum = 0.0f;
        for (cl_int i = m->start[row]; i < m->start[row + 1]; i++)
            sum += value[i] * x[m->column[i]];
        app_expect_near(app, row, y[row], sum);
    }
    app_checksum(app, "y", y, bytes);

    for (cl_uint i = 0; i < 5; i++)
        CL_CHECK(clReleaseMemObject(args[i]));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(m->start);
    free(m->column);
    free(value);
    free(x);
    free(y);
    return app_end(app);
}

/* spmv - sparse matrix times vector, compressed sparse rows, one work-item per row.
 *
 * Row lengths come from memory and differ by two orders of magnitude: the work is not uniform, so one slice
 * says little about the next, and only whole launches can be compared.
 *
 * >>> spmv: tuned
 */
#include "sparse.h"

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
    struct sparse m = {.rows = app.n, .start = app_alloc((app.n + 1) * sizeof *m.start)};
    m.entries = (size_t)make_rows(m.start, m.rows);
    m.column = app_alloc(m.entries * sizeof *m.column);
    uint32_t seed = 8;
    for (size_t i = 0; i < m.entries; i++)
        m.column[i] = (cl_int)(app_random(&seed) % m.rows);
    return sparse_run(&app, app_build(&app, source, NULL), "spmv", &m, m.rows, 64);
}

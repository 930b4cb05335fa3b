/* csr - sparse matrix times vector, compressed sparse rows, with rows that grow along the range.
 *
 * One work-item per row, as in spmv, but of an upper triangular band: the first rows are a hundred times as
 * long as the last.  A slice from the front says nothing about one from the back, so sizes can only be
 * compared on the same rows; and the time of the whole is that of the groups at the front.
 *
 * >>> csr: tuned
 */
#include "sparse.h"

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

/* Row lengths fall from LONGEST to 1 with the square of the way along the range.  Returns the number of
 * entries. */
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
    struct sparse m = {.rows = app.n, .start = app_alloc((app.n + 1) * sizeof *m.start)};
    m.entries = make_rows(m.start, m.rows);
    m.column = app_alloc(m.entries * sizeof *m.column);
    for (size_t row = 0; row < m.rows; row++)
        for (cl_int i = m.start[row]; i < m.start[row + 1]; i++)
            m.column[i] = (cl_int)((row + (size_t)(i - m.start[row])) % m.rows);
    return sparse_run(&app, app_build(&app, source, NULL), "csr", &m, (m.rows + 127) / 128 * 128, 128);
}

/* Parts of functions, marked as `clsizer predict --from-c` takes them. */
#include <stdio.h>
#include <stdlib.h>
#define N 1024
typedef float real;
static real A[N][N], B[N][N], C[N][N];
static real alpha = 1.5f, beta = 1.2f;
static const int first = 0;
static int columns, *kept;

static void fill(int n) /* (of no use) { */
{
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            A[i][j] = B[i][j] = C[i][j] = (real)rand();
}

/* As PolyBench has it: arrays of the file, counters of the function. */
int main(int argc, char **argv)
{
    int i, j, k;
    const int n = argc > 1 ? atoi(argv[1]) : N;
    fill(n);
#pragma clsizer begin product
    for (i = first; i < n; i++) {
        for (j = 0; j < n; j++) {
            C[i][j] *= beta;
            for (k = 0; k < n; ++k)
                C[i][j] += alpha * A[i][k] * B[k][j];
        }
    }
#pragma clsizer end
    for (i = 0; i < n; i++)
        printf("%g\n", C[i][i]);
    return 0;
}

/* Arrays of the function, with rows that are as long as it says; a loop around it; names that are hidden. */
void steps(int rows, int columns)
{
    float(*a)[columns] = calloc((size_t)rows, sizeof *a), *x = calloc((size_t)columns, sizeof *x), y[rows];
    double k = 0;
    for (int t = 0; t < 10; t++) {
        const char *what = "a step; of {";
        float *row;
        for (float rows = 0; rows < 1; rows++)
            x[0] = rows;
#pragma clsizer begin
        for (int i = 0; i < rows; i++) {
            float s = 0;
            row = a[i];
            for (int k = 0; k < columns; k++)
                s += row[k] * x[k];
            y[i] = s;
        }
#pragma clsizer end
        for (int i = 0; i < columns; i++)
            x[i] = y[i % rows];
        printf("%s %g\n", what, k + x[0]);
        row = kept ? x : a[columns - 1];
    }
    free(a);
    free(x);
}

/* What cannot be a function. */
float sum(int n, const float *x)
{
    float s = 0;
#pragma clsizer begin
    for (int i = 0; i < n; i++)
        s += x[i];
#pragma clsizer end
    return s;
}

float greatest(int n, const float *x)
{
    float s;
#pragma clsizer begin
    s = x[0];
    for (int i = 0; i < n; i++)
        s = s < x[i] ? x[i] : s;
#pragma clsizer end
    return s;
}

int counted(int n, int *x, int length)
{
#pragma clsizer begin
    for (int i = 0; i < n; i++)
        x[i] = 0;
    ++length;
#pragma clsizer end
    return length;
}

void of_a_file(FILE *f, float *x)
{
#pragma clsizer begin
    for (int i = 0; i < N; i++)
        x[i] = f != NULL;
#pragma clsizer end
}

void of_rows(float **x)
{
#pragma clsizer begin
    for (int i = 0; i < N; i++)
        x[i][0] = 1;
#pragma clsizer end
}

void twice(float *x)
{
#pragma clsizer begin
    x[0] = 1;
#pragma clsizer end
#pragma clsizer begin
    x[1] = 1;
#pragma clsizer end
}

void halved(float *x)
{
    for (int i = 0; i < N; i++) {
#pragma clsizer begin
        x[i] = 1;
    }
#pragma clsizer end
}

#pragma clsizer begin outside
#pragma clsizer end

void without_end(float *x)
{
#pragma clsizer begin
    x[0] = 1;
}

void carried(int n, float *x)
{
    float s = 0;
#pragma clsizer begin
    for (int i = 0; i < n; i++) {
        const float next = 2 * x[i];
        x[i] = s;
        s = next;
    }
#pragma clsizer end
}

void one_place(int n, const float *x, float *out)
{
#pragma clsizer begin
    for (int i = 0; i < n; i++)
        *out = x[i];
#pragma clsizer end
}

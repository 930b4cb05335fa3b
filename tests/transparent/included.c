/* included - a program whose kernel includes "rule.h": argv[1] are its build options.  Where argv[2] is given
 * it is made from the binary in that file, which is written if it is not there, as large programs do. */
#include "client.h"
#include <string.h>

#define ITEMS 4096

static const char *const source = "#include \"rule.h\"\n"
                                  "__kernel void spread(__global const int *in, __global int *out)\n"
                                  "{\n"
                                  "    size_t i = RULE;\n"
                                  "    out[i] = in[i] * 2;\n"
                                  "}\n";

static cl_program from_source(const struct client *c, const char *options)
{
    const char *text = source;
    cl_program program = clCreateProgramWithSource(c->context, 1, &text, NULL, NULL);

    CHECK(clBuildProgram(program, 1, &c->device, options, NULL, NULL));
    return program;
}

static cl_program from_binary(const struct client *c, const char *path)
{
    static unsigned char binary[1 << 20];
    const unsigned char *binaries[] = {binary};
    FILE *f = fopen(path, "rb");
    cl_program program;
    size_t size;
    cl_int error;

    if (!f)
        return NULL;
    size = fread(binary, 1, sizeof binary, f);
    fclose(f);
    program = clCreateProgramWithBinary(c->context, 1, &c->device, &size, binaries, NULL, &error);
    CHECK(error);
    CHECK(clBuildProgram(program, 1, &c->device, "", NULL, NULL));
    return program;
}

static void keep_binary(cl_program program, const char *path)
{
    size_t size = 0;
    unsigned char *binary;
    FILE *f = fopen(path, "wb");

    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    binary = calloc(1, size);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    if (!f || fwrite(binary, 1, size, f) != size || fclose(f))
        exit(1);
    free(binary);
}

int main(int argc, char **argv)
{
    const char *options = argc > 1 ? argv[1] : "", *path = argc > 2 ? argv[2] : NULL;
    struct client c;
    cl_program program;
    cl_command_queue queue;
    cl_mem in, out;

    client_start(&c);
    queue = clCreateCommandQueue(c.context, c.device, 0, NULL);
    in = client_buffer(&c, ITEMS * sizeof(cl_int));
    out = client_buffer(&c, ITEMS * sizeof(cl_int));
    program = path ? from_binary(&c, path) : NULL;
    if (!program) {
        program = from_source(&c, options);
        if (path)
            keep_binary(program, path);
    }
    client_launch(program, "spread", queue, in, out, ITEMS, 100);
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseCommandQueue(queue));
    client_end(&c);
    puts("done");
    return 0;
}

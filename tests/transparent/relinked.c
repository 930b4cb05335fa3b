/* relinked - links a unit, compiled once, with another one that includes "rule.h", in the directory argv[1].
 * Then the file becomes argv[2], and the same is done with the other unit compiled anew. */
#include "client.h"
#include <string.h>

#define ITEMS 4096

static const char *const helper = "int more(int x)\n"
                                  "{\n"
                                  "    return x + 1;\n"
                                  "}\n";
static const char *const source = "int more(int x);\n"
                                  "#include \"rule.h\"\n"
                                  "__kernel void spread(__global const int *in, __global int *out)\n"
                                  "{\n"
                                  "    size_t i = RULE;\n"
                                  "    out[i] = more(in[i]);\n"
                                  "}\n";

static struct client client;
static char options[4096];

static cl_program compiled(const char *text)
{
    cl_program program = clCreateProgramWithSource(client.context, 1, &text, NULL, NULL);

    CHECK(clCompileProgram(program, 1, &client.device, options, 0, NULL, NULL, NULL, NULL));
    return program;
}

static void link_and_launch(cl_program with, cl_command_queue queue, cl_mem in, cl_mem out)
{
    const cl_program parts[] = {compiled(source), with};
    cl_int error;
    cl_program linked = clLinkProgram(client.context, 1, &client.device, NULL, 2, parts, NULL, NULL, &error);

    CHECK(error);
    client_launch(linked, "spread", queue, in, out, ITEMS, 40);
    CHECK(clReleaseProgram(linked));
    CHECK(clReleaseProgram(parts[0]));
}

static void become_rule(const char *directory, const char *name)
{
    char from[4096], to[4096];

    snprintf(from, sizeof from, "%s/%s", directory, name);
    snprintf(to, sizeof to, "%s/rule.h", directory);
    if (rename(from, to)) {
        perror(from);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    cl_command_queue queue;
    cl_program with;
    cl_mem in, out;

    if (argc != 3)
        return 2;
    snprintf(options, sizeof options, "-I \"%s\"", argv[1]);
    client_start(&client);
    queue = clCreateCommandQueue(client.context, client.device, 0, NULL);
    in = client_buffer(&client, ITEMS * sizeof(cl_int));
    out = client_buffer(&client, ITEMS * sizeof(cl_int));
    with = compiled(helper);
    link_and_launch(with, queue, in, out);
    become_rule(argv[1], argv[2]);
    link_and_launch(with, queue, in, out);
    CHECK(clReleaseProgram(with));
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseCommandQueue(queue));
    client_end(&client);
    puts("done");
    return 0;
}

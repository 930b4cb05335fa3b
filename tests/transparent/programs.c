/* programs - makes kernels without end: argv[1] programs, each another source of argv[2] bytes and some more,
 * with argv[3] in a comment, each launched once.  The most memory that it needed goes to stderr. */
#include "client.h"
#include <string.h>
#include <sys/resource.h>

#define ITEMS 4096

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 100, bytes = argc > 2 ? atoi(argv[2]) : 0;
    char text[64], *blanks = calloc((size_t)bytes + 1, 1);
    const char *sources[] = {client_source, text, blanks};
    struct rusage used;
    struct client c;
    cl_command_queue queue;
    cl_mem in, out;

    memset(blanks, ' ', (size_t)bytes);
    client_start(&c);
    queue = clCreateCommandQueue(c.context, c.device, 0, NULL);
    in = client_buffer(&c, ITEMS * sizeof(cl_int));
    out = client_buffer(&c, ITEMS * sizeof(cl_int));
    for (int i = 0; i < count; i++) {
        cl_program program;
        snprintf(text, sizeof text, "/* %d %s */\n", i, argc > 3 ? argv[3] : "");
        program = clCreateProgramWithSource(c.context, 3, sources, NULL, NULL);
        CHECK(clBuildProgram(program, 1, &c.device, "", NULL, NULL));
        client_launch(program, "twice", queue, in, out, ITEMS, 1);
        CHECK(clReleaseProgram(program));
    }
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseCommandQueue(queue));
    client_end(&c);
    free(blanks);
    puts("done");
    getrusage(RUSAGE_SELF, &used);
    fprintf(stderr, "%ld kB\n", used.ru_maxrss);
    return 0;
}

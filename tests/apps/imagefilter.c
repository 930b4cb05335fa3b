/* imagefilter - a 3x3 blur over images with read_imagef and write_imagef, as photo and video software does
 * it.
 *
 * One image is only read, the other only written, each work-item its own pixel.  Reads past the edge are
 * clamped by the sampler, an argument.
 *
 * >>> blur: tuned
 */
#include "common.h"

static const char *source = "__kernel void blur(__read_only image2d_t in, __write_only image2d_t out, "
                            "sampler_t edge)\n"
                            "{\n"
                            "    int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
                            "    float4 sum = (float4)(0.0f);\n"
                            "    for (int y = -1; y <= 1; y++)\n"
                            "        for (int x = -1; x <= 1; x++)\n"
                            "            sum += read_imagef(in, edge, p + (int2)(x, y));\n"
                            "    write_imagef(out, p, sum * (1.0f / 9.0f));\n"
                            "}\n";

static cl_mem image(struct app *app, cl_mem_flags flags, size_t n)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = n, .image_height = n};
    cl_int status;
    cl_mem made = clCreateImage(app->context, flags, &format, &desc, NULL, &status);
    CL_CHECK(status);
    return made;
}

static size_t clamp(size_t i, int step, size_t n)
{
    if ((step < 0 && i == 0) || (step > 0 && i == n - 1))
        return i;
    return i + (size_t)step;
}

/* Largest difference between the device's and the host's channels of pixel x, y. */
static int deviation(const uint8_t *in, const uint8_t *out, size_t n, size_t x, size_t y)
{
    int worst = 0;
    for (size_t c = 0; c < 4; c++) {
        int sum = 0;
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++)
                sum += in[(clamp(y, j, n) * n + clamp(x, i, n)) * 4 + c];
        int d = abs(out[(y * n + x) * 4 + c] - (sum + 4) / 9);
        worst = d > worst ? d : worst;
    }
    return worst;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "imagefilter", argc, argv, (struct app_defaults){768, 20, 32, 3});
    const size_t n = app.n, bytes = n * n * 4, origin[3] = {0, 0, 0}, region[3] = {n, n, 1};
    cl_bool images = CL_FALSE;
    CL_CHECK(clGetDeviceInfo(app.device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    if (!images) {
        printf("imagefilter: no images on this device\n");
        return 77;
    }
    uint8_t *in = app_alloc(bytes), *out = app_alloc(bytes);
    uint32_t seed = 1;
    for (size_t i = 0; i < bytes; i++)
        in[i] = (uint8_t)app_random(&seed);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "blur");
    cl_mem din = image(&app, CL_MEM_READ_ONLY, n), dout = image(&app, CL_MEM_WRITE_ONLY, n);
    cl_int status;
    cl_sampler edge =
        clCreateSampler(app.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &status);
    CL_CHECK(status);
    CL_CHECK(clEnqueueWriteImage(app.queue, din, CL_TRUE, origin, region, 0, 0, in, 0, NULL, NULL));
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof edge, &edge));
    app_run(&app, kernel, 2, NULL, (size_t[]){n, n}, (size_t[]){8, 8, 1});

    CL_CHECK(clEnqueueReadImage(app.queue, dout, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL));
    for (size_t i = 0; i < n * n; i++)
        app_expect_int(&app, i, deviation(in, out, n, i % n, i / n) <= 1, true);
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseSampler(edge));
    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(&app);
}

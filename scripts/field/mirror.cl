// A filter of the user's own, for ffmpeg's program_opencl: each frame mirrored, and darker the later it is.
kernel void mirror(write_only image2d_t out, unsigned int index, read_only image2d_t in)
{
    const sampler_t at = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int2 place = (int2)(get_global_id(0), get_global_id(1)), size = get_image_dim(in);
    if (place.x >= size.x || place.y >= size.y)
        return;
    float4 here = read_imagef(in, at, (int2)(size.x - 1 - place.x, place.y));
    write_imagef(out, place, here * (1.0f - index * 0.01f));
}

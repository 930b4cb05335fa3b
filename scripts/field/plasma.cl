// A source of pictures of the user's own, for ffmpeg's openclsrc.
kernel void plasma(write_only image2d_t out, unsigned int index)
{
    int2 place = (int2)(get_global_id(0), get_global_id(1)), size = get_image_dim(out);
    if (place.x >= size.x || place.y >= size.y)
        return;
    float x = (float)place.x / size.x, y = (float)place.y / size.y, t = index * 0.1f;
    float v = sin(x * 10 + t) + sin((y * 10 + t) * 0.5f) + sin(hypot(x - 0.5f, y - 0.5f) * 20 - t);
    write_imagef(out, place, (float4)(0.5f + 0.25f * v, 0.5f + 0.5f * sin(v), 0.5f + 0.5f * cos(v), 1.0f));
}

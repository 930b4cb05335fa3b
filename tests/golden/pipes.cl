// Pipes: what one work-item writes another reads, in whatever order they run.  An argument alone is enough.
// OPTIONS: -cl-std=CL2.0
__kernel void writer(__global const int *in, write_only pipe int p)
{
    int v = in[get_global_id(0)];
    write_pipe(p, &v);
}
__kernel void reader(__global int *out, read_only pipe int p)
{
    int v = 0;
    read_pipe(p, &v);
    out[get_global_id(0)] = v;
}
__kernel void unused(__global int *out, read_only pipe int p)
{
    out[get_global_id(0)] = 1;
}
// >>> kernel writer
// >>>   arg in: int*, buffer, global, 8 bytes, read, written
// >>>   arg p: int, other, private, 8 bytes, read, written
// >>>   private: 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: call-__write_pipe_2 load.global.4 store.private.4
// >>>   proved:
// >>>   not S: unknown-function
// >>>   not O0: unknown-function
// >>>   not O1: unknown-function
// >>>   not O2: unknown-function
// >>>   not I: unknown-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
// >>> kernel reader
// >>>   arg out: int*, buffer, global, 8 bytes, read, written
// >>>   arg p: int, other, private, 8 bytes, read, written
// >>>   private: 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: call-__read_pipe_2 load.private.4 store.global.4 store.private.4
// >>>   proved:
// >>>   not S: unknown-function
// >>>   not O0: unknown-function
// >>>   not O1: unknown-function
// >>>   not O2: unknown-function
// >>>   not I: unknown-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
// >>> kernel unused
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   arg p: int, other, private, 8 bytes, read, written
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   proved: A U
// >>>   not S: unknown-function
// >>>   not O0: unknown-function
// >>>   not O1: unknown-function
// >>>   not O2: unknown-function
// >>>   not I: unknown-function

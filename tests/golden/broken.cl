// A program that does not compile has an error and no kernels.
__kernel void k(__global int *o) { o[0] = nothing; }
// >>> exit status 127

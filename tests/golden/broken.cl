// A program that does not compile has an error and no kernels.
__kernel void k(__global int *o) { o[0] = nothing; }
// >>> error: does-not-compile: 2:43: error: use of undeclared identifier 'nothing'

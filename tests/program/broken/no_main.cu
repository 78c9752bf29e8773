// says: the file has no main(); say in a comment how its kernel is launched, as in //
// ends: not compiled
__global__ void scale(float* x, int n) {
    if (threadIdx.x < n) x[threadIdx.x] *= 2;
}

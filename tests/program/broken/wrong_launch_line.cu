// says: scale has no parameter 'y'; it has x, n
// ends: not compiled
// tilereel: launch scale block=32 y[32]=ones n=1
__global__ void scale(float* x, int n) {
    if (threadIdx.x < n) x[threadIdx.x] *= 2;
}

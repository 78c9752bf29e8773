// says: the array x of the launch line would have more than 2 GiB; write smaller extents
// ends: exit 1
// tilereel: launch scale block=32 x[100000000][1000]=ones n=1
__global__ void scale(float* x, int n) {
    if (threadIdx.x < n) x[threadIdx.x] *= 2;
}

// says: cudaSurfaceObject_t is not supported: Tilereel runs no surfaces; write the data through a pointer instead
// ends: not compiled
__global__ void k(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 4 * threadIdx.x, 0); }
int main() { k<<<1, 1>>>(0); }

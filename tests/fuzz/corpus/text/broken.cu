#if A
#if __CUDA_ARCH__
__device__ int f();
#elif B
#else
#endif
#endif
/* a * b */ "\"" \
 // x \
 y
__device__ operator bool(
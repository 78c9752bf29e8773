#pragma once
// As libraries define them, so that the header serves without nvcc, too.
#ifdef __CUDACC__
#define HOST_ __host__
#define DEVICE_ __device__
#else
#define HOST_
#define DEVICE_
#endif
#define HOST_DEVICE_ HOST_ DEVICE_ inline
#define IN_KERNELS DEVICE_ __forceinline__

HOST_DEVICE_ int where() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
IN_KERNELS int in_kernels() {
#ifdef __CUDA_ARCH__
    return 3;
#else
    return 4;
#endif
}

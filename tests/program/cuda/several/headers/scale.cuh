#pragma once
__device__ inline int global_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void scale(int* x, int factor);

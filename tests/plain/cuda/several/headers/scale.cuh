#pragma once
__device__ inline int number() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void scale(int* x, int factor);

#include <cuda_bf16.h>

#include "app/race/gpu/gpu_tools.h"
#include "app/race/race_values.h"
#include "kernels/reference.h"

namespace tilereel {
namespace {

constexpr unsigned kThreads = 256, kMostBlocks = 1u << 16;

// Enough blocks for all; each thread strides over what is left.
unsigned blocks_for(std::uint64_t elements) {
    const std::uint64_t blocks = (elements + kThreads - 1) / kThreads;
    return static_cast<unsigned>(blocks < kMostBlocks ? blocks : kMostBlocks);
}

__device__ std::uint64_t first_element() {
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ std::uint64_t stride() { return std::uint64_t{gridDim.x} * blockDim.x; }

// A bfloat16 is rounded to the nearest, as rounded_to() does.
template <class Element>
__global__ void fill(Element* to, RaceValues values) {
    for (std::uint64_t i = first_element(); i < values.count; i += stride())
        to[i] = Element(race_value(values.seed, values.first_index + i));
}

template <class Element>
__global__ void widen(float* to, const Element* from, std::uint64_t elements) {
    for (std::uint64_t i = first_element(); i < elements; i += stride()) to[i] = float(from[i]);
}

__global__ void absolute(float* to, std::uint64_t elements) {
    for (std::uint64_t i = first_element(); i < elements; i += stride()) to[i] = fabsf(to[i]);
}

__global__ void compare(const float* c, const float* reference, const float* magnitude,
                        std::uint64_t elements, float allowed, DeviceComparison* result) {
    float worst = 0;
    unsigned long long first_wrong = kNoneWrong;
    for (std::uint64_t i = first_element(); i < elements; i += stride()) {
        const float off = fabsf(c[i] - reference[i]);
        const float error = off == 0 ? 0 : off / (float(kUnitRoundOff) * magnitude[i]);
        if (!(error <= allowed) && i < first_wrong) first_wrong = i;  // also if NaN
        if (isfinite(error)) worst = fmaxf(worst, error);
    }
    // Non-negative floats have the same order as their bits.
    if (worst > 0) atomicMax(&result->worst_error, __float_as_uint(worst));
    if (first_wrong != kNoneWrong)
        atomicMin(reinterpret_cast<unsigned long long*>(&result->first_wrong), first_wrong);
}

__global__ void copy(uint4* __restrict__ to, const uint4* __restrict__ from,
                     std::uint64_t elements) {
    for (std::uint64_t i = first_element(); i < elements; i += stride()) to[i] = from[i];
}

__global__ void chains(float* to, int steps, float factor, float term) {
    float sums[kChains];
    for (int chain = 0; chain < kChains; ++chain) sums[chain] = float(chain + threadIdx.x);
#pragma unroll 8
    for (int step = 0; step < steps; ++step)
#pragma unroll
        for (int chain = 0; chain < kChains; ++chain) sums[chain] = sums[chain] * factor + term;
    float all = 0;
    for (const float sum : sums) all += sum;
    to[first_element()] = all;  // otherwise the compiler would remove the loop
}

}  // namespace

cudaError_t start_fill(void* to, InputType type, const RaceValues& values) {
    const unsigned blocks = blocks_for(values.count);
    if (type == InputType::kFloat32)
        fill<<<blocks, kThreads>>>(static_cast<float*>(to), values);
    else
        fill<<<blocks, kThreads>>>(static_cast<__nv_bfloat16*>(to), values);
    return cudaGetLastError();
}

cudaError_t start_widen(float* to, const void* from, InputType type, std::uint64_t elements) {
    const unsigned blocks = blocks_for(elements);
    if (type == InputType::kFloat32)
        widen<<<blocks, kThreads>>>(to, static_cast<const float*>(from), elements);
    else
        widen<<<blocks, kThreads>>>(to, static_cast<const __nv_bfloat16*>(from), elements);
    return cudaGetLastError();
}

cudaError_t start_absolute(float* to, std::uint64_t elements) {
    absolute<<<blocks_for(elements), kThreads>>>(to, elements);
    return cudaGetLastError();
}

cudaError_t start_comparison(const float* c, const float* reference, const float* magnitude,
                             std::uint64_t elements, float allowed, DeviceComparison* result) {
    compare<<<blocks_for(elements), kThreads>>>(c, reference, magnitude, elements, allowed, result);
    return cudaGetLastError();
}

cudaError_t start_copy(void* to, const void* from, std::uint64_t bytes) {
    const std::uint64_t elements = bytes / sizeof(uint4);
    copy<<<blocks_for(elements), kThreads>>>(static_cast<uint4*>(to),
                                             static_cast<const uint4*>(from), elements);
    return cudaGetLastError();
}

cudaError_t start_chains(float* to, int blocks, int steps) {
    chains<<<static_cast<unsigned>(blocks), kChainThreads>>>(to, steps, 0.999f, 0.5f);
    return cudaGetLastError();
}

}  // namespace tilereel

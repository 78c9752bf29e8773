// Names of CUB that release 3 (CUDA 13) has elsewhere.
#pragma once
#include <cub/cub.cuh>

#if CUB_VERSION >= 300000
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/block/block_shuffle.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
namespace cub {
using Sum = ::cuda::std::plus<>;
using Inequality = ::cuda::std::not_equal_to<>;
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;
template <class Value, class Function, class Iterator>
using TransformInputIterator = thrust::transform_iterator<Function, Iterator, Value>;
template <class Value>
using ConstantInputIterator = thrust::constant_iterator<Value>;
}  // namespace cub
#endif

#pragma once
// Elements of cuBLAS's matrices: converted to float or double for OpenBLAS, and back.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "instrumentation/cuda/include/library_types.h"

namespace tilereel::runtime {

// 0 if Tilereel does not compute with elements of this type.
[[nodiscard]] std::size_t element_bytes(cudaDataType type);
[[nodiscard]] inline bool is_supported(cudaDataType type) { return element_bytes(type) != 0; }

// `from` and `to` have `count` elements of `type`.
template <class T>
[[nodiscard]] std::vector<T> widened(const void* from, cudaDataType type, std::uint64_t count);
// Numbers are rounded to nearest; integers and numbers of 8 bits saturate.
template <class T>
void narrow(const T* from, void* to, cudaDataType type, std::uint64_t count);

}  // namespace tilereel::runtime

#pragma once
// What the runtime stores in a CUtensorMap, which describes a tensor to the TMA (CUDA Driver API,
// "Tensor Map Object Management"). The first word is the tensor's address: the hook for kernel
// parameters reads it to name the array after the parameter.
#include <array>
#include <cstdint>

namespace tilereel::runtime {

struct TensorMap {
    static constexpr std::uint32_t kMagic = 0x7e450a6b;
    static constexpr std::uint32_t kMostRank = 5;
    std::uint64_t first = 0;                                  // address of the first element
    std::array<std::uint64_t, kMostRank - 1> stride_bytes{};  // of dimensions 1, 2, ...
    std::array<std::uint32_t, kMostRank> last{};  // extents - 1; dimension 0 is innermost
    std::array<std::uint16_t, kMostRank> box{};   // extents of a box
    std::array<std::uint8_t, kMostRank> step{};   // 2: every second element is copied
    std::uint8_t rank = 0;
    std::uint8_t element_bytes = 0;
    std::uint8_t is_floating = 0, is_bfloat16 = 0, is_signed = 0;
    std::uint16_t swizzle_bytes = 0;  // 32, 64 or 128; 0: no swizzle
    std::uint32_t magic = 0;
};
static_assert(sizeof(TensorMap) <= 128);

}  // namespace tilereel::runtime

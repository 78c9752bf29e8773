#include "instrumentation/trace/fragments/matrix_descriptor.h"

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kFieldOnes = 0x3fff;  // 14 bits: a multiple of 16 bytes below 256 KiB

std::uint32_t bytes_in_field(std::uint64_t bits, int first) {
    return static_cast<std::uint32_t>(bits >> first & kFieldOnes) * 16;
}
std::uint64_t field_of_bytes(std::uint32_t bytes, int first) {
    return (bytes / 16 & kFieldOnes) << first;
}

// Before the swizzle.
std::uint32_t piece_offset(const MatrixDescriptor& descriptor, MajorDimension major, int bits,
                           int x, int k) {
    const auto row_bytes = static_cast<std::uint32_t>(swizzle_bytes(descriptor.swizzle));
    const bool is_k_major = major == MajorDimension::kK;
    const auto along = static_cast<std::uint32_t>((is_k_major ? k : x) * bits / 128);
    const auto across = static_cast<std::uint32_t>(is_k_major ? x : k);
    const std::uint32_t leading = descriptor.leading_bytes, stride = descriptor.stride_bytes;
    const std::uint32_t in_rows = row_bytes * (across % 8);
    if (descriptor.swizzle == Swizzle::kNone)
        return is_k_major ? in_rows + stride * (across / 8) + leading * along
                          : in_rows + leading * (across / 8) + stride * along;
    const std::uint32_t pieces = row_bytes / 16;
    if (is_k_major) return in_rows + stride * (across / 8) + 16 * along;
    return in_rows + stride * (across / 8) + 16 * (along % pieces) + leading * (along / pieces);
}

}  // namespace

MatrixDescriptor matrix_descriptor(std::uint64_t bits) {
    return {.start_bytes = bytes_in_field(bits, 0),
            .leading_bytes = bytes_in_field(bits, 16),
            .stride_bytes = bytes_in_field(bits, 32),
            .base_offset = static_cast<std::uint32_t>(bits >> 49 & 7),
            .swizzle = static_cast<Swizzle>(bits >> 62)};
}

std::uint64_t descriptor_bits(const MatrixDescriptor& descriptor) {
    return field_of_bytes(descriptor.start_bytes, 0) |
           field_of_bytes(descriptor.leading_bytes, 16) |
           field_of_bytes(descriptor.stride_bytes, 32) |
           std::uint64_t{descriptor.base_offset & 7} << 49 |
           static_cast<std::uint64_t>(descriptor.swizzle) << 62;
}

int swizzle_bytes(Swizzle swizzle) {
    switch (swizzle) {
        case Swizzle::k128Bytes:
            return 128;
        case Swizzle::k64Bytes:
            return 64;
        case Swizzle::k32Bytes:
            return 32;
        default:
            return 16;
    }
}

std::uint32_t piece_address(const MatrixDescriptor& descriptor, MajorDimension major, int bits,
                            int x, int k) {
    dcheck(major == MajorDimension::kK || bits == 16);
    const std::uint32_t address =
        descriptor.start_bytes + piece_offset(descriptor, major, bits, x, k);
    const auto pieces = static_cast<std::uint32_t>(swizzle_bytes(descriptor.swizzle)) / 16;
    const std::uint32_t row = (address / 128 - descriptor.base_offset) % pieces;
    return address ^ row * 16;
}

std::uint32_t element_address(const MatrixDescriptor& descriptor, MajorDimension major, int bits,
                              int x, int k) {
    const int along = major == MajorDimension::kK ? k : x;
    return piece_address(descriptor, major, bits, x, k) +
           static_cast<std::uint32_t>(along * bits / 8 % 16);
}

}  // namespace tilereel

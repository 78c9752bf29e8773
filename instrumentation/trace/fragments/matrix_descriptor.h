#pragma once
// How wgmma finds a matrix in shared memory. PTX ISA 9.0, "Asynchronous Warpgroup Level Matrix
// Shared Memory Layout" and "Matrix Descriptor Format".
//
// Why two offsets and a swizzle. The tensor core reads shared memory in pieces of 16 bytes that lie
// along one dimension of the matrix: along k (K-major) or along m or n (MN-major). Eight pieces of
// eight neighbouring rows (K-major) or columns of k (MN-major) are read together, and they should
// lie in different banks. Without a swizzle these eight pieces are 128 consecutive bytes, a core
// matrix. With a swizzle of W = 32, 64 or 128 bytes, W bytes of each row are consecutive, as in a
// tile that the TMA copies, and the piece's place in its row is changed by XOR with the row's
// number:
//
//     address bits   9 8 7   6 5 4   3 2 1 0
//                    row     piece   byte in the piece      128 bytes: piece ^= row (3 bits)
//                                                            64 bytes: 2 bits, 32 bytes: 1 bit
//
// With T elements in 16 bytes, P = W / 16 pieces in a swizzled row, the byte offsets from the
// start, before the swizzle, are (x is the row of A or the column of B):
//
//     K-major   none       16 (x % 8) + stride (x / 8) + leading (k / T)        + byte in the piece
//               swizzled    W (x % 8) + stride (x / 8) + 16 (k / T)             + byte in the piece
//     MN-major  none       16 (k % 8) + leading (k / 8) + stride (x / T)        + byte in the piece
//               swizzled    W (k % 8) + stride (k / 8) + 16 (x / T % P) + leading (x / T / P) +
//               byte
#include <cstdint>

#include "instrumentation/trace/fragments/matrix_type.h"

namespace tilereel {

enum class Swizzle : std::uint8_t { kNone = 0, k128Bytes = 1, k64Bytes = 2, k32Bytes = 3 };
enum class MajorDimension : std::uint8_t { kK, kMN };

struct MatrixDescriptor {
    std::uint32_t start_bytes = 0;    // shared address, a multiple of 16 below 256 KiB
    std::uint32_t leading_bytes = 0;  // "leading dimension byte offset"
    std::uint32_t stride_bytes = 0;   // "stride dimension byte offset"
    // Row number, 0 to 7, of the first row of the swizzle's pattern in its 1024 bytes; 0 if the
    // pattern starts at a multiple of 1024 bytes (64-byte swizzle: 512, 32-byte swizzle: 256).
    std::uint32_t base_offset = 0;
    Swizzle swizzle = Swizzle::kNone;
    bool operator==(const MatrixDescriptor&) const = default;
};

[[nodiscard]] MatrixDescriptor matrix_descriptor(std::uint64_t bits);
// Offsets are cut to multiples of 16 bytes below 256 KiB.
[[nodiscard]] std::uint64_t descriptor_bits(const MatrixDescriptor& descriptor);
// Bytes of a row that lie side by side: 16 without a swizzle, else 32, 64 or 128.
[[nodiscard]] int swizzle_bytes(Swizzle swizzle);

// The shared address of the 16 bytes that hold elements `x`, `k` and their neighbours along the
// major dimension. `bits`: of an element. `x`: row of A or column of B.
[[nodiscard]] std::uint32_t piece_address(const MatrixDescriptor& descriptor, MajorDimension major,
                                          int bits, int x, int k);
// The shared address of the element's first byte. Elements of 8 bits or more.
[[nodiscard]] std::uint32_t element_address(const MatrixDescriptor& descriptor,
                                            MajorDimension major, int bits, int x, int k);

}  // namespace tilereel

#pragma once
// The numbers that tensor cores read from the bits of an element, and the bits that they write.
#include <cstdint>

#include "instrumentation/cuda/include/tilereel/small_float.h"
#include "instrumentation/cuda/include/tilereel/tiny_float.h"
#include "instrumentation/trace/fragments/matrix_type.h"

namespace tilereel::runtime {

// What a tensor core reads of the 32 bits of a tf32: the lower 13 bits count as 0.
inline float tf32_to_float(std::uint32_t bits) { return float_of(bits & 0xffffe000u); }

// The value of an element in the lowest bits of `bits`. Not for kF64; kS32 is rounded to float.
[[nodiscard]] float matrix_number(MatrixType type, std::uint32_t bits);
// The bits of a sum: kF32, kF16 or kBf16, rounded to nearest even. NaN is 0x7fffffff or 0x7fff.
[[nodiscard]] std::uint32_t matrix_bits(MatrixType type, float value);
// `count` registers to the numbers in them: 32 / element_bits(type) for each register, from its
// lowest bits. Not for kF64 and kB1.
void matrix_numbers(MatrixType type, const std::uint32_t* registers, int count, float* numbers);

// The other way: `count` sums to registers, one for each f32, one for two of f16.
void matrix_bits(MatrixType type, const float* sums, int count, std::uint32_t* registers);
// sum + c modulo 2^32, or clamped to 32 bits with .satfinite. All are signed.
[[nodiscard]] std::uint32_t integer_sum(bool saturates, std::int64_t sum, std::uint32_t c);

}  // namespace tilereel::runtime

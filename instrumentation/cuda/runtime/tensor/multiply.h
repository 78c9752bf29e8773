#pragma once
// What a tensor core computes: D = A B + C over the registers of a warp's 32 lanes.
//
// Arithmetic, as far as PTX promises it and an H100 shows it:
// - Products of f16, bf16, tf32, e4m3 and e5m2 are exact in binary32. Their sum with C is kept in
//   binary32, from C on in the order of k. The hardware sums in an order of its own and truncates,
//   so only a bound is common to both: |D - exact| <= (k + 1) 2^-23 (|C| + sum of |a b|).
// - With D as f16, the sum is rounded to f16 once, at the end.
// - f64: a fused multiply-add for each k, in the order of k.
// - Integers and bits: exact modulo 2^32; with .satfinite the whole sum is clamped once.
// - A NaN is 0x7fffffff, in f16 0x7fff.
#include <cstdint>

#include "instrumentation/trace/fragments/warp_fragments.h"

namespace tilereel::runtime {

// Each operand has registers_of(product, operand) registers a lane, one lane after another:
// [lane][register]. `d` may be `c` if C and D have one type.
void multiply(const WarpProduct& product, const std::uint32_t* a, const std::uint32_t* b,
              const std::uint32_t* c, std::uint32_t* d);

}  // namespace tilereel::runtime

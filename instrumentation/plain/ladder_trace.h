#pragma once
// The trace of a plain CUDA program that launched a kernel of the ladder becomes the trace of that
// kernel; and what such a trace is made of, whoever records it.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "instrumentation/record/record_plan.h"
#include "kernels/plain_kernel.h"

namespace tilereel::plain {

// `trace`: as the program recorded it; its kernel's parameters are called A, B and C. `inputs`:
// what they held before the launch. `c`: C after it. The error completes "the kernel ...".
Result<Trace> as_ladder_trace(Trace trace, const RequestedLaunch& requested,
                              const RecordRequest& request, Inputs inputs, std::vector<float> c);

// A, B and C, numbered so.
[[nodiscard]] std::vector<Array> ladder_matrices(const Launch& launch);
// Of a matrix whose rows the launch has copied to multiples of 16 bytes (20 champion): `bytes` in
// all, which hold `content` throughout. Others stay.
void take_pitch(std::uint64_t bytes, std::span<const std::byte> content, Array& matrix);
// The tiles that a kernel carves out of its dynamic shared memory, As and Bs, without a gap; their
// bytes count from its beginning.
[[nodiscard]] std::vector<Array> carved_arrays(const Launch& launch,
                                               const RequestedLaunch& requested);
// A static shared array of float.
[[nodiscard]] Array declared_array(const RequestedLaunch& requested, const Launch& launch,
                                   const DeclaredArray& declared, std::uint32_t base_bytes);
// A site as the ladder's traces have it: without a column, and of a statement that goes on behind
// its "=" with the line where it begins.
[[nodiscard]] tilereel::Site ladder_site(tilereel::Site site, std::string_view source);

// Adds the source, the matrices and how many elements of C are wrong.
void finish_ladder_trace(Trace& trace, const RequestedLaunch& requested,
                         const RecordRequest& request, Inputs inputs, std::vector<float> c);

}  // namespace tilereel::plain

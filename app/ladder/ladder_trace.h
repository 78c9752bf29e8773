#pragma once
// Converts the trace of a CUDA program that launched a ladder kernel to the trace of that
// kernel. Recordings on a GPU (gpu/ladder_memory.h, gpu/gpu_ladder.h) use the other functions.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "app/ladder/record_plan.h"
#include "kernels/ladder_file.h"

namespace tilereel {

// `trace`: as the program recorded it; the kernel's parameters are named A, B and C. `inputs`:
// their contents before the launch. `c`: C after the launch. The error completes "the kernel ...".
Result<Trace> as_ladder_trace(Trace trace, const RequestedLaunch& requested,
                              const RecordRequest& request, const Inputs& inputs,
                              const std::vector<float>& c);

// A, B and C in this order: the index is the ArrayId.
[[nodiscard]] std::vector<Array> ladder_matrices(const Launch& launch, InputType inputs);
// The matrix with rows that are `pitch` floats apart; the padding is 0.
[[nodiscard]] std::vector<float> with_padded_rows(const std::vector<float>& matrix,
                                                  std::size_t rows, std::size_t columns,
                                                  std::size_t pitch);
// Sets the leading dimension of a matrix that the launch has copied to 16-byte aligned rows
// (20 champion) and that occupies `bytes` with the given `content`. Leaves other matrices
// unchanged.
void set_leading_dimension(std::uint64_t bytes, std::span<const std::byte> content, Array& matrix);
// The tiles As and Bs that a kernel places one after the other in its dynamic shared memory. Their
// base is relative to the first byte of that memory.
[[nodiscard]] std::vector<Array> dynamic_shared_arrays(const Launch& launch,
                                                       const RequestedLaunch& requested);
// A static shared array.
[[nodiscard]] Array declared_array(const RequestedLaunch& requested, const Launch& launch,
                                   const DeclaredArray& declared, std::uint32_t base_bytes);
// The site as traces of the ladder have it: without a column, and with the first line of a
// statement that continues after "=" on the next line.
[[nodiscard]] Site ladder_site(Site site, std::string_view source);

// Adds the source, the contents of the matrices, and the number of wrong elements of C.
void finish_ladder_trace(Trace& trace, const RequestedLaunch& requested,
                         const RecordRequest& request, const Inputs& inputs,
                         const std::vector<float>& c);

}  // namespace tilereel

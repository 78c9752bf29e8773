#pragma once
// Traces of small CUDA programs that are not matrix products, made record by record like those of a
// recorder: a reduction (float, one extent), a transpose (int, two extents, a padded tile), a
// histogram (bytes, atomics in shared and global memory) and a stencil (double, blocks in three
// dimensions, constant memory, a sum in a local); and two that test single features.
#include "instrumentation/trace/trace.h"

namespace tilereel::tests {

// 2 blocks of 64 threads add 128 floats; value i is i % 7. Neighbours first: s = 1, 2, ..., 32.
[[nodiscard]] Trace reduction_trace();
// int in[8][16] becomes out[16][8] by way of tile[8][9]; 2 blocks of 8 x 8. Value i is 3 * i - 50.
[[nodiscard]] Trace transpose_trace();
// unsigned char data[64], value i * i % 8: a block of 64 threads counts in shared int bins[8], then
// adds them to int histogram[8].
[[nodiscard]] Trace histogram_trace();
// double in[8][4][4], value i / 4: out = centre * in + below * (in one plane below), 0 beyond the
// edge; 2 blocks of 4 x 4 x 4; the factors 0.5 and 0.25 lie in constant memory.
[[nodiscard]] Trace stencil_trace();

// Six global arrays of 40 elements, named as in a program, and one shared; a warp reads the first
// three and writes the others, one after the other, four times. Values have up to six characters.
[[nodiscard]] Trace six_arrays_trace();

// A launch of `blocks` blocks of which only block 1 was chosen for recording. It has one record,
// several source files, a finding, an integer and output.
[[nodiscard]] Trace chosen_trace();

}  // namespace tilereel::tests

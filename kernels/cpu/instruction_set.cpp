// The CPU's kernels for one instruction set. Compiled once for each, with TILEREEL_CPU_SET naming
// it: baseline, avx2 or avx512.
#include "kernels/cpu/cpu_cuda.h"
#include "kernels/cpu/kernel_table.h"

namespace tilereel {
namespace {

#include "cpu_kernel_code.h"

#define LADDER_KERNEL(stem, tile, pad, kernel, launch) {stem, tile, pad, launch},
constexpr CpuRow kRows[] = {
#include "cpu_kernel_rows.h"
};

}  // namespace

#define TILEREEL_JOINED(a, b) a##b
#define TILEREEL_JOIN(a, b) TILEREEL_JOINED(a, b)
CpuTable TILEREEL_JOIN(cpu_table_, TILEREEL_CPU_SET)() {
    return {kRows, static_cast<int>(sizeof kRows / sizeof kRows[0])};
}

}  // namespace tilereel

#pragma once
// Makes a KernelBody of a kernel: body_of<tiled<16, 0>>. Include after the emulated dialect.
#include "instrumentation/record/block_runner.h"
#include "kernels/dialect/dialect.h"

namespace tilereel {

template <void (*kKernel)(Global<const float>, Global<const float>, Global<float>, Shape)>
void body_of(const KernelArguments& in) {
    const auto count = [](int rows, int columns) {
        return static_cast<std::uint32_t>(rows) * static_cast<std::uint32_t>(columns);
    };
    kKernel(Global<const float>{.first = in.a, .count = count(in.m, in.k), .array = 0},
            Global<const float>{.first = in.b, .count = count(in.k, in.n), .array = 1},
            Global<float>{.first = in.c, .count = count(in.m, in.n), .array = 2},
            Shape{.m = in.m, .n = in.n, .k = in.k});
}

}  // namespace tilereel

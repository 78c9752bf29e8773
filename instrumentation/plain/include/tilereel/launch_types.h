#pragma once
// Describes a launch, for the headers and for the runtime.
#include <cstddef>

#include "driver_types.h"

namespace tilereel::plain {

struct LaunchText {
    const char* kernel;  // as written
    const char* file;
    unsigned line;
};
struct LaunchShape {
    dim3 grid, block;
    std::size_t shared_bytes;
    cudaStream_t stream;
    LaunchShape(dim3 g, dim3 b, std::size_t bytes = 0, cudaStream_t s = nullptr)
        : grid(g), block(b), shared_bytes(bytes), stream(s) {}
};
// Runs body(data) once for each thread of the grid.
cudaError_t launch(const LaunchText& text, const LaunchShape& shape, void (*body)(void*),
                   void* data, bool cooperative);

}  // namespace tilereel::plain

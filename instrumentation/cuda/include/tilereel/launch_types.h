#pragma once
// Describes a launch, for the headers and for the runtime.
#include <cstddef>

#include "driver_types.h"

namespace tilereel::runtime {

struct LaunchText {
    const char* kernel;  // as written
    const char* file;
    unsigned line;
};
struct LaunchShape {
    dim3 grid, block;
    std::size_t shared_bytes;
    cudaStream_t stream;
    dim3 cluster = dim3(0, 0, 0);  // cudaLaunchAttributeClusterDimension; 0: as the kernel says
    LaunchShape(dim3 g, dim3 b, std::size_t bytes = 0, cudaStream_t s = nullptr)
        : grid(g), block(b), shared_bytes(bytes), stream(s) {}
};
// How to call a kernel with its arguments given by their addresses.
struct KernelSignature {
    const void* kernel = nullptr;
    void (*call)(const void* kernel, void** arguments) = nullptr;
    const std::size_t* sizes = nullptr;  // of its parameters, in bytes
    unsigned count = 0;
};
// Whether launches in this stream become nodes of a graph.
bool is_captured(cudaStream_t stream);
cudaError_t capture_launch(const LaunchText& text, const LaunchShape& shape, bool cooperative,
                           const KernelSignature& signature, void** arguments);
// The same where the kernel's parameters are not known. destroy(data) is called with the graph's
// end.
cudaError_t capture_call(const LaunchText& text, const LaunchShape& shape, void (*body)(void*),
                         void* data, void (*destroy)(void*));
// A kernel that the program has cast to void*; null: there is none.
const KernelSignature* registered_kernel(const void* kernel);
// Runs body(data) once for each thread of the grid.
cudaError_t launch(const LaunchText& text, const LaunchShape& shape, void (*body)(void*),
                   void* data, bool cooperative);

}  // namespace tilereel::runtime

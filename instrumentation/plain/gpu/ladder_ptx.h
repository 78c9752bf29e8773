#pragma once
// The PTX of a kernel of the ladder, patched (ptx_patch.h): from what is built in, or compiled by
// nvcc. As written: nvcc -Xcicc -O1 makes one access of each access of the source.
#include <atomic>
#include <string>
#include <string_view>

#include "instrumentation/base/result.h"
#include "instrumentation/plain/gpu/gpu_facts.h"
#include "kernels/catalog.h"

namespace tilereel::plain {

struct LadderPtx {
    std::string text;
    std::string symbol;  // of the kernel
    GpuFacts facts;
};

// For a GPU of a compute capability such as 90. What is not built in is compiled now; `compiling`
// (may be null) is true meanwhile. kFailed where there is no nvcc for it, and kCancelled.
[[nodiscard]] Result<LadderPtx> ladder_ptx(const KernelInfo& kernel, const KernelParameters& p,
                                           int capability, const std::atomic<bool>* cancel,
                                           std::atomic<bool>* compiling);

// The text without the kernels but the one of that name, such as
// "plain_09_tiled::tiled<8, 0>", whose symbol is returned, too; empty: it is not there.
struct KernelInPtx {
    std::string text, symbol;
};
[[nodiscard]] KernelInPtx only_kernel(std::string_view ptx, std::string_view name);

// What nvcc made when Tilereel was built: embed_ptx.cmake writes it.
struct EmbeddedPtx {
    int capability = 0;
    std::string_view text;
};
extern const EmbeddedPtx kEmbeddedPtx[];  // of all kernels, by the least capability they need
extern const unsigned kEmbeddedPtxCount;  // 0: built without nvcc
extern const std::string_view kEmbeddedRecorderPtx;
extern const std::string_view kEmbeddedPtxCompiler;  // "nvcc 13.0"

}  // namespace tilereel::plain

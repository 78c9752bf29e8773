#pragma once
// The patched PTX (ptx_patch.h) of a ladder kernel, built in or compiled on demand. It is compiled
// by nvcc -Xcicc -O1, so that each access of the source is one access in PTX.
#include <atomic>
#include <string>
#include <string_view>

#include "instrumentation/base/result.h"
#include "instrumentation/gpu/convert/gpu_facts.h"
#include "kernels/catalog.h"

namespace tilereel {

struct LadderPtx {
    std::string text;
    std::string symbol;  // of the kernel
    gpu::GpuFacts facts;
};

// `capability`: the GPU's compute capability, such as 90. A kernel that is not built in is
// compiled; `compiling` (may be null) is true while nvcc runs. kFailed if there is no nvcc;
// kCancelled.
[[nodiscard]] Result<LadderPtx> ladder_ptx(const KernelInfo& kernel, const KernelParameters& p,
                                           int capability, const std::atomic<bool>* cancel,
                                           std::atomic<bool>* compiling);

// Keeps only the kernel of this name, such as "rung_09_tiled::tiled<8, 0>", and
// returns the remaining text and that kernel's symbol. The symbol is empty if there is no such
// kernel.
struct KernelInPtx {
    std::string text, symbol;
};
[[nodiscard]] KernelInPtx only_kernel(std::string_view ptx, std::string_view name);

// The PTX that nvcc made when Tilereel was built; embed_ptx.cmake writes it.
struct EmbeddedPtx {
    int capability = 0;
    std::string_view text;
};
extern const EmbeddedPtx kEmbeddedPtx[];  // one for each minimum capability of kernels
extern const unsigned kEmbeddedPtxCount;  // 0: built without nvcc
// The recorder that becomes part of the PTX, by the least compute capability that it takes.
extern const EmbeddedPtx kEmbeddedRecorders[];
extern const unsigned kEmbeddedRecorderCount;
extern const std::string_view kEmbeddedPtxCompiler;  // "nvcc 13.0"

}  // namespace tilereel

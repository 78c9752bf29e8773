#pragma once
// Which TILE and PAD a kernel of the ladder can have. Some are built in (KernelInfo::tiles, pads).
// A kernel with a plain CUDA file takes more: they are compiled on the spot
// (instrumentation/plain/ladder.h). What it takes follows from the file: Takes in its header, and
// the blocks and the shared memory that it asks for.
#include <cstdint>

#include "instrumentation/base/result.h"
#include "kernels/catalog.h"

namespace tilereel {

inline constexpr int kMostThreadsOfBlock = 1024;
// Most static __shared__ memory that nvcc gives a block, for any GPU (CUDA C++ Programming Guide,
// "Compute Capabilities"). Dynamic shared memory may be more: kMostSharedBytes, of compute
// capability 9.0.
inline constexpr std::int64_t kMostStaticSharedBytes = 48 * 1024;
inline constexpr std::int64_t kMostSharedBytes = 227 * 1024;

// Whether this TILE and PAD are built in. Only these can race.
[[nodiscard]] bool is_built_in(const KernelInfo& kernel, int tile, int pad);

// Whether the kernel can have a TILE, a PAD, that is not built in.
[[nodiscard]] bool takes_other_tiles(const KernelInfo& kernel);
[[nodiscard]] bool takes_other_pads(const KernelInfo& kernel);

// kWrongCall with the rule that TILE or PAD breaks, and what to use. M, N and K play no part.
[[nodiscard]] Status check_variant(const KernelInfo& kernel, int tile, int pad);

// Bytes of the kernel's static __shared__ arrays; 0 where it has none.
[[nodiscard]] std::int64_t static_shared_bytes(const KernelInfo& kernel, int tile, int pad);

}  // namespace tilereel

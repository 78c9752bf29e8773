#pragma once
// The TILEs and PADs that a ladder kernel can have. Some are built in (KernelInfo::tiles, pads);
// others are compiled on demand (app/ladder/ladder.h). They follow from the kernel's
// file: from what it declares, and from the threads and shared memory of its blocks.
#include <cstdint>
#include <optional>

#include "instrumentation/base/result.h"
#include "kernels/catalog.h"

namespace tilereel {

inline constexpr int kMostThreadsOfBlock = 1024;
// The most static __shared__ memory of a block, for any GPU (CUDA C++ Programming Guide, "Compute
// Capabilities"). The limit of dynamic shared memory is kMostSharedBytes, that of compute
// capability 9.0.
inline constexpr std::int64_t kMostStaticSharedBytes = 48 * 1024;
inline constexpr std::int64_t kMostSharedBytes = 227 * 1024;

// Whether this TILE and PAD are built in. Only these can race.
[[nodiscard]] bool is_built_in(const KernelInfo& kernel, int tile, int pad);

// Whether the kernel can have a TILE (a PAD) that is not built in.
[[nodiscard]] bool takes_other_tiles(const KernelInfo& kernel);
[[nodiscard]] bool takes_other_pads(const KernelInfo& kernel);

// The PAD to which one changes from this one: the first that is built in, or from there the second.
// nullopt if the kernel has no PAD.
[[nodiscard]] std::optional<int> other_pad(const KernelInfo& kernel, int pad);

// kWrongCall with the rule that TILE or PAD violates, and what to use. Independent of M, N and K.
[[nodiscard]] Status check_variant(const KernelInfo& kernel, int tile, int pad);

// Bytes of the kernel's static __shared__ arrays; 0 if it has none.
[[nodiscard]] std::int64_t static_shared_bytes(const KernelInfo& kernel, int tile, int pad);

}  // namespace tilereel

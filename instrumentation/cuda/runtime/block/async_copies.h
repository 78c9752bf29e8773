#pragma once
// Asynchronous copies from global to shared memory (PTX ISA, cp.async). The plugin sees only the
// calls that start them, so the runtime makes the sites of their accesses.
#include "instrumentation/cuda/hooks.h"

namespace tilereel::runtime {

[[nodiscard]] bool is_async_copy(const Site& site);
// Of a copy in bulk to global memory.
inline constexpr char kBulkStore[] = "tilereel_bulk_store";
// Whether another block of the cluster has made the copy, or the barrier is another block's.
[[nodiscard]] bool is_of_other_block(const Site& site);
// The site of an operation on a barrier at a call. `of_other_block`: see above.
[[nodiscard]] Site& barrier_site(const Site& call, SiteKind kind, bool of_other_block);
// The site of a copy that another block has started at `started_at`, for a thread that waits.
[[nodiscard]] Site& landing_site(const Site& wait, const Site& started_at);

// The sites of the read and the write of a copy, for each call, width and kind of copy.
struct CopySites {
    Site load{}, store{};
};
[[nodiscard]] CopySites& copy_sites(const Site& call, std::uint32_t width, bool asynchronous,
                                    bool of_other_block = false);

}  // namespace tilereel::runtime

#pragma once
// Sums over a trace, per kernel and per site. The meaning of each is that of `report --json`:
// accesses are per thread, requests per warp, barriers per block.
#include <cstdint>
#include <optional>
#include <vector>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct AccessCounts {
    std::uint64_t accesses = 0, requests = 0;
    std::uint64_t sectors = 0, lines = 0, bytes_requested = 0, bytes_moved = 0;  // global
    std::uint64_t transactions = 0;  // global: sectors from 5.0 on
    std::uint64_t bytes_used = 0;    // global: of those moved by each request, the ones asked for
    std::uint64_t wavefronts = 0, bank_conflicts = 0;  // shared
    std::uint32_t worst_wavefronts = 0;                // shared: of any one request
    std::uint64_t collisions = 0;  // atomics: lanes beyond the first at each address of a request
    AccessCounts& operator+=(const AccessCounts& more);
    bool operator==(const AccessCounts&) const = default;
};

struct KernelCounts {
    AccessCounts global_load{}, global_store{}, shared_load{}, shared_store{};
    // What asynchronous copies write. What they read is among global_load: the hardware counts both
    // so (l1tex__t_requests_pipe_lsu_mem_global_op_ld has them, ..._mem_shared_op_st has not).
    AccessCounts shared_copy{};
    // Read-modify-write operations, besides the loads and stores above; see RequestCost.
    AccessCounts global_atomic{}, shared_atomic{};
    AccessCounts constant_load{};
    std::uint64_t barriers = 0;  // block barriers executed by each block (they agree, or the most)
    std::uint64_t multiply_adds = 0;  // per thread
    [[nodiscard]] std::uint64_t flop() const { return 2 * multiply_adds; }
    // FLOP over global bytes, loads and stores together; nullopt if no byte moved.
    [[nodiscard]] std::optional<double> flop_per_byte_requested() const;
    [[nodiscard]] std::optional<double> flop_per_byte_moved() const;
    bool operator==(const KernelCounts&) const = default;
};

struct SiteCounts {
    SiteId site = 0;
    AccessCounts counts{};  // multiply-adds and barriers: accesses and requests only
    std::uint64_t multiply_adds = 0;
    std::uint64_t ticks = 0;  // wavefronts (shared, constant) or lines (global): the model's time
};

struct CountRange {  // which part of the trace: all of it, or one block
    std::optional<std::uint32_t> block;
};
[[nodiscard]] KernelCounts count_kernel(const Trace& trace, const CountRange& range = {},
                                        const Generation& generation = default_generation());
// Of what warps ask for by themselves, without what the copy engine moves: what a profiler counts.
[[nodiscard]] KernelCounts count_warps(const Trace& trace);
// One entry a site, in SiteId order.
[[nodiscard]] std::vector<SiteCounts> count_sites(
    const Trace& trace, const CountRange& range = {},
    const Generation& generation = default_generation());
// The kernel's counts from its sites' counts of the same range: spares a second walk.
[[nodiscard]] KernelCounts sum_of(const Trace& trace, const std::vector<SiteCounts>& sites,
                                  const CountRange& range = {});

}  // namespace tilereel

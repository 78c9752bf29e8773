#pragma once
// Sums over a trace, for the kernel and for each site, as in `report --json`: accesses are counted
// per thread, requests per warp, barriers per block.
//
// This is the only list of counters. A new one is a field of RequestCost, computed by cost_of(), a
// field of AccessCounts and a row of kCounters; sums, `report` and its JSON follow from these. A
// figure that the window compares before and after a change is a row of kKernelFigures.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct AccessCounts {
    std::uint64_t accesses = 0, requests = 0;
    // Lanes that take no part in a request of their warp: a branch leads around it, their loop has
    // ended, or they have returned. A lane without a thread (in the last warp of a block) does not
    // count; a bulk copy has no lanes.
    std::uint64_t lanes_off = 0;
    std::uint64_t sectors = 0, lines = 0, bytes_requested = 0, bytes_moved = 0;  // global
    std::uint64_t transactions = 0;  // global: sectors from compute capability 5.0 on
    std::uint64_t bytes_used = 0;    // global: moved bytes that the request needs
    std::uint64_t wavefronts = 0, bank_conflicts = 0;  // shared
    std::uint64_t worst_wavefronts = 0;                // shared: most of a single request
    std::uint64_t collisions = 0;  // atomics: lanes beyond the first at each address of a request
    AccessCounts& operator+=(const AccessCounts& more);
    bool operator==(const AccessCounts&) const = default;
};

// Where a counter is shown.
enum CounterPlace : std::uint8_t {
    kOfGlobal = 1,     // loads, stores and atomics on global memory
    kOfShared = 2,     // loads, stores and atomics on shared memory
    kOfConstant = 4,   // loads of constant memory
    kOfAtomics = 8,    // atomics on global and shared memory
    kOfOthers = 16,    // multiply-adds, barriers and the like
    kOfEachLine = 32,  // the table of source lines
    kOfCluster = 64,   // accesses of other blocks' shared memory
};
struct Counter {
    std::uint64_t AccessCounts::*sum;
    std::uint32_t RequestCost::*of_request;  // what each request adds; nullptr: 1
    const char* key;                         // in JSON
    const char* title;                       // of its column
    unsigned places = 0;                     // bits of CounterPlace; 0: only for other figures
    bool largest = false;                    // the maximum of all requests instead of the sum
};
// In the order of the columns.
inline constexpr std::array<Counter, 13> kCounters = {{
    {&AccessCounts::accesses, &RequestCost::lanes, "accesses", "ACCESSES",
     kOfGlobal | kOfShared | kOfConstant | kOfOthers | kOfEachLine | kOfCluster},
    {&AccessCounts::requests, nullptr, "requests", "REQUESTS",
     kOfGlobal | kOfShared | kOfConstant | kOfOthers | kOfEachLine | kOfCluster},
    {&AccessCounts::lanes_off, &RequestCost::lanes_off, "lanes_off", "LANES OFF",
     kOfGlobal | kOfShared | kOfConstant | kOfOthers | kOfEachLine | kOfCluster},
    {&AccessCounts::sectors, &RequestCost::sectors, "sectors", "SECTORS", kOfGlobal | kOfEachLine},
    {&AccessCounts::lines, &RequestCost::lines, "lines", "LINES", kOfGlobal | kOfEachLine},
    {&AccessCounts::bytes_requested, &RequestCost::bytes_requested, "bytes_requested",
     "BYTES ASKED", kOfGlobal | kOfCluster},
    {&AccessCounts::bytes_moved, &RequestCost::bytes_moved, "bytes_moved", "BYTES MOVED",
     kOfGlobal},
    {&AccessCounts::wavefronts, &RequestCost::wavefronts, "wavefronts", "WAVEFRONTS",
     kOfShared | kOfConstant | kOfEachLine},
    {&AccessCounts::bank_conflicts, &RequestCost::bank_conflicts, "bank_conflicts",
     "BANK CONFLICTS", kOfShared | kOfEachLine},
    {&AccessCounts::worst_wavefronts, &RequestCost::wavefronts, "worst_wavefronts", "WORST",
     kOfShared | kOfEachLine, true},
    {&AccessCounts::collisions, &RequestCost::collisions, "collisions", "COLLISIONS", kOfAtomics},
    {&AccessCounts::transactions, &RequestCost::transactions, "transactions", "TRANSACTIONS"},
    {&AccessCounts::bytes_used, &RequestCost::bytes_used, "bytes_used", "BYTES USED"},
}};
[[nodiscard]] constexpr bool is_shown(const Counter& counter, unsigned places) {
    return (counter.places & places) != 0;
}

struct KernelCounts {
    AccessCounts global_load{}, global_store{}, shared_load{}, shared_store{};
    // Writes of asynchronous copies. Their reads count as global_load, as the hardware counts them:
    // they are in l1tex__t_requests_pipe_lsu_mem_global_op_ld, but not in ..._mem_shared_op_st.
    AccessCounts shared_copy{};
    // Atomics. They are not among the loads and stores above; see RequestCost.
    AccessCounts global_atomic{}, shared_atomic{};
    AccessCounts constant_load{};
    // Loads, stores and atomics of other blocks' shared memory (Space::kSharedCluster).
    AccessCounts cluster_access{};
    std::uint64_t barriers = 0;         // most block barriers that a block executes
    std::uint64_t multiply_adds = 0;    // counted per thread; those of matrix products, too
    std::uint64_t matrix_products = 0;  // counted per warp
    [[nodiscard]] std::uint64_t flop() const { return 2 * multiply_adds; }
    // FLOP over global bytes of loads, stores and atomics together; nullopt if there are no bytes.
    [[nodiscard]] std::optional<double> flop_per_byte_requested() const;
    [[nodiscard]] std::optional<double> flop_per_byte_moved() const;
    // The share of lanes that are on in the requests of all kinds, as whole percents, rounded down:
    // 100 only if no lane is off. Without requests 100. Nsight Compute counts likewise all
    // instructions, not requests alone ("Avg. Active Threads Per Warp").
    [[nodiscard]] std::uint64_t lanes_on_percent() const;
    bool operator==(const KernelCounts&) const = default;
};

// A figure of a whole kernel that the window compares before and after a change.
struct KernelFigure {
    const char* label;
    std::uint64_t (*get)(const KernelCounts&);  // nullptr: FLOP per byte read
    // If there is no room for all figures, those with the lowest numbers are shown. If only PAD
    // changed, the second number applies: then wavefronts say more than global accesses.
    int importance, importance_of_pad;
    bool conflicts = false;
    const char* unit = "";  // written after the number
};
inline constexpr std::array<KernelFigure, 10> kKernelFigures = {{
    {"global load requests", [](const KernelCounts& c) { return c.global_load.requests; }, 5, 8},
    {"global load sectors", [](const KernelCounts& c) { return c.global_load.sectors; }, 1, 4},
    {"bytes asked for", [](const KernelCounts& c) { return c.global_load.bytes_requested; }, 4, 7},
    {"bytes moved", [](const KernelCounts& c) { return c.global_load.bytes_moved; }, 8, 11},
    {"shared wavefronts",
     [](const KernelCounts& c) {
         return c.shared_load.wavefronts + c.shared_store.wavefronts + c.shared_copy.wavefronts;
     },
     3, 6},
    {"load wavefronts", [](const KernelCounts& c) { return c.shared_load.wavefronts; }, 6, 1},
    {"store wavefronts", [](const KernelCounts& c) { return c.shared_store.wavefronts; }, 7, 2},
    {"bank conflicts",
     [](const KernelCounts& c) {
         return c.shared_load.bank_conflicts + c.shared_store.bank_conflicts +
                c.shared_copy.bank_conflicts;
     },
     0, 0, true},
    {"FLOP per byte read", nullptr, 2, 5},
    {"lanes on", [](const KernelCounts& c) { return c.lanes_on_percent(); }, 9, 9, false, "%"},
}};

struct SiteCounts {
    SiteId site = 0;
    AccessCounts counts{};  // multiply-adds and barriers: accesses and requests only
    std::uint64_t multiply_adds = 0, matrix_products = 0;
    std::uint64_t ticks = 0;  // wavefronts (shared, constant) or lines (global): the model's time
};

struct CountRange {  // the counted part of a trace: one block, or all of it
    std::optional<std::uint32_t> block;
};
[[nodiscard]] KernelCounts count_kernel(const Trace& trace, const CountRange& range = {},
                                        const Generation& generation = default_generation());
// Adds one request to the counts of its kind, by the rules of count_kernel(), for code that walks a
// trace itself.
void count_request(KernelCounts& counts, Space space, Operation operation, const RequestCost& cost);
// Counts the accesses of warps without those of the TMA, as a profiler does.
[[nodiscard]] KernelCounts count_warps(const Trace& trace);
// One entry for each site, in SiteId order.
[[nodiscard]] std::vector<SiteCounts> count_sites(
    const Trace& trace, const CountRange& range = {},
    const Generation& generation = default_generation());
// The kernel's counts from the counts of its sites in the same range, without a second walk.
[[nodiscard]] KernelCounts sum_of(const Trace& trace, const std::vector<SiteCounts>& sites,
                                  const CountRange& range = {});

}  // namespace tilereel

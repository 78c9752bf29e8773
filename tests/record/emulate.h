#pragma once
// Runs a test's own kernel, written in the dialect, in the emulator. Include after defining
// TILEREEL_BUILD_EMULATED.
#include <utility>
#include <vector>

#include "instrumentation/record/emulated_kernel.h"
#include "instrumentation/record/emulator.h"

namespace tilereel {

struct TestLaunch {
    Dim3 grid{1, 1, 1};
    Dim3 block{32, 1, 1};
    std::uint32_t m = 32, n = 32, k = 32, pad = 0;
    std::uint32_t dynamic_shared_bytes = 0;
    std::uint32_t interval = 1;
    unsigned workers = 1;
    std::uint64_t memory_limit_bytes = kDefaultMemoryLimitBytes;
    std::uint32_t removed_barrier = 0;  // a line without a barrier removes none: only the order
    ThreadOrder order = ThreadOrder::kTurns;
    bool in_order = false;  // for barriers in shared memory
};

template <void (*kKernel)(Global<const float>, Global<const float>, Global<float>, Shape)>
Result<Trace> emulate_kernel(const TestLaunch& test = {}) {
    EmulatedLaunch launch;
    launch.launch = {.kernel = "test",
                     .m = test.m,
                     .n = test.n,
                     .k = test.k,
                     .tile = 0,
                     .pad = test.pad,
                     .grid = test.grid,
                     .block = test.block,
                     .shared_bytes = 0,
                     .seed = 0,
                     .removed_barrier = test.removed_barrier,
                     .order = test.order};
    launch.body = body_of<kKernel>;
    launch.dynamic_shared_bytes = test.dynamic_shared_bytes;
    launch.workers = test.workers;
    launch.accumulator_interval = test.interval;
    launch.memory_limit_bytes = test.memory_limit_bytes;
    launch.in_order = test.in_order;
    return emulate(launch, random_inputs(static_cast<int>(test.m), static_cast<int>(test.n),
                                         static_cast<int>(test.k), 1));
}

// A record in short: what was done to which array by which lanes.
struct Did {
    char what;  // l(oad), s(tore), m(ultiply-add), b(arrier), w(arp barrier)
    std::string array;
    std::uint32_t lanes;
    bool operator==(const Did&) const = default;
};
inline std::ostream& operator<<(std::ostream& out, const Did& did) {
    return out << did.what << ' ' << did.array << ' ' << std::hex << did.lanes << std::dec;
}

inline std::vector<Did> what_happened(const Trace& trace) {
    std::vector<Did> list;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const Site& site = trace.sites[site_of(trace, i)];
        list.push_back({"lsmbw"[static_cast<std::size_t>(site.operation)],
                        site.array == kNoArray ? "" : trace.arrays[site.array].name,
                        trace.patterns[trace.records.pattern[i]].mask});
    }
    return list;
}

}  // namespace tilereel

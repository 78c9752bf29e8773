// The time of the analysis on one thread: counters and hazards of a whole trace, and the requests
// that use one element. Goals on a 2 GHz core: 150 ms for the counters at 256^3, 100 ms for the
// hazards at 64^3, 17 ms (a frame) for the uses of an element in a block of 65,568 requests.
#include <benchmark/benchmark.h>

#include "app/ladder/ladder.h"
#include "app/replay/arrays/element_uses.h"
#include "app/replay/replay.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/hazards/hazards.h"

namespace tilereel {
namespace {

Trace record(const char* kernel, const KernelParameters& parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    return record_built_in(request).value();
}

KernelParameters cubed(std::int64_t extent) {
    const int n = static_cast<int>(extent);
    return {.m = n, .n = n, .k = n, .tile = 16, .pad = 0};
}

void count(benchmark::State& state) {
    const Trace trace = record("09_tiled", cubed(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(count_kernel(trace));
}
BENCHMARK(count)->Arg(64)->Arg(256)->Unit(benchmark::kMillisecond);

void hazards(benchmark::State& state) {
    const Trace trace = record("09_tiled", cubed(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(find_hazards(trace));
}
BENCHMARK(hazards)->Arg(64)->Arg(256)->Unit(benchmark::kMillisecond);

void uses(benchmark::State& state) {
    const Trace trace = record("02_naive", {.m = 32, .n = 32, .k = 1024, .tile = 32, .pad = 0});
    const Result<Replay> replay = Replay::of_block(trace, 0);
    for (auto _ : state)
        benchmark::DoNotOptimize(uses_of_element(*replay, 0, (3 * 1024 + 5) * 4, 4));
}
BENCHMARK(uses)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilereel

BENCHMARK_MAIN();

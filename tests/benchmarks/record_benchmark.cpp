// How fast the emulator records, the finished trace kept. The bar is 200 M accesses a second a core
// and 1.2 bytes an access at 256^3, TILE 16 and 32.
#include <benchmark/benchmark.h>

#include "instrumentation/record/record.h"

namespace tilereel {
namespace {

void record(benchmark::State& state, const char* kernel) {
    RecordRequest request;
    request.kernel = kernel;
    const int size = static_cast<int>(state.range(0));
    request.parameters = {.m = size,
                          .n = size,
                          .k = size,
                          .tile = static_cast<int>(state.range(1)),
                          .pad = static_cast<int>(state.range(2))};
    request.workers = 1;
    std::uint64_t accesses = 0, bytes = 0;
    for (auto _ : state) {
        const Result<Trace> trace = record_with_emulator(request);
        if (!trace) {
            state.SkipWithError(trace.error().message.c_str());
            return;
        }
        accesses = access_count(*trace);
        bytes = memory_bytes(*trace);
    }
    state.counters["accesses/s/core"] =
        benchmark::Counter(static_cast<double>(accesses) * static_cast<double>(state.iterations()),
                           benchmark::Counter::kIsRate);
    state.counters["bytes/access"] = static_cast<double>(bytes) / static_cast<double>(accesses);
}

BENCHMARK_CAPTURE(record, 09_tiled, "09_tiled")
    ->ArgNames({"size", "TILE", "PAD"})
    ->Args({256, 16, 0})
    ->Args({256, 32, 0})
    ->Args({64, 16, 0})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, 08_tiled_b_transposed, "08_tiled_b_transposed")
    ->ArgNames({"size", "TILE", "PAD"})
    ->Args({256, 32, 1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, 02_naive, "02_naive")
    ->ArgNames({"size", "TILE", "PAD"})
    ->Args({256, 32, 0})
    ->Args({100, 16, 0})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilereel

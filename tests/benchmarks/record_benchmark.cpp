// The speed of recording the ladder on the CPU, up to the finished trace: accesses for each second
// of CPU time, of this process and of the one that runs the kernel. The goal is 190 M accesses a
// second and 1.2 bytes an access at 256^3, TILE 16 and 32. Also the speed of saving a trace: with
// all cores, or with one by `taskset -c 0`.
//
// change/KERNEL is the time that a user waits after a change of TILE, PAD or size, as the kernel
// opens. The goal is 0.5 s for a built-in kernel and 1 s for one that is compiled on the spot.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <filesystem>
#include <string>

#include "app/ladder/ladder.h"
#include "instrumentation/trace/file/trace_file.h"
#include "kernels/catalog.h"
#include "kernels/openings.h"

namespace tilereel {
namespace {

double cpu_seconds() {
    double seconds = 0;
    for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(static_cast<__rusage_who_t>(whose), &used);
        for (const timeval& time : {used.ru_utime, used.ru_stime})
            seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    }
    return seconds;
}

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
    double whole = 0;
    for (auto _ : state) {
        const double begin = cpu_seconds();
        const Result<Trace> trace = record_built_in(request);
        state.SetIterationTime(cpu_seconds() - begin);
        whole += cpu_seconds() - begin;
        if (!trace) {
            state.SkipWithError(trace.error().message.c_str());
            return;
        }
        accesses = access_count(*trace);
        bytes = memory_bytes(*trace);
    }
    state.counters["accesses/CPU-s"] =
        static_cast<double>(accesses) * static_cast<double>(state.iterations()) / whole;
    state.counters["bytes/access"] = static_cast<double>(bytes) / static_cast<double>(accesses);
}

using RecordLadder = Result<Trace> (*)(const RecordRequest&, RecordProgress*);

void change(benchmark::State& state, const KernelInfo& kernel, RecordLadder record_ladder) {
    RecordRequest request;
    request.kernel = kernel.id;
    request.parameters = opening_of(kernel);
    const double begin = cpu_seconds();
    for (auto _ : state)
        if (const Result<Trace> trace = record_ladder(request, nullptr); !trace) {
            state.SkipWithError(trace.error().message.c_str());
            return;
        }
    state.counters["CPU_ms"] =
        benchmark::Counter((cpu_seconds() - begin) * 1000, benchmark::Counter::kAvgIterations);
}

void save(benchmark::State& state, Compression compression) {
    const int size = static_cast<int>(state.range(0));
    RecordRequest request;
    request.parameters = {.m = size, .n = size, .k = size, .tile = 16};
    const Result<Trace> trace = record_built_in(request);
    const auto path = std::filesystem::temp_directory_path() / "tilereel_save_benchmark.npz";
    for (auto _ : state)
        if (!trace || !write_trace(*trace, path, compression)) {
            state.SkipWithError("the trace cannot be saved");
            return;
        }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(memory_bytes(*trace)));
    state.counters["file_bytes"] = static_cast<double>(std::filesystem::file_size(path));
    std::filesystem::remove(path);
}

BENCHMARK_CAPTURE(save, deflated, Compression::kDeflate)
    ->ArgName("size")
    ->Arg(256)
    ->Arg(384)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(save, stored, Compression::kNone)
    ->ArgName("size")
    ->Arg(384)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, 09_tiled, "09_tiled")
    ->ArgNames({"size", "TILE", "PAD"})
    ->Args({256, 16, 0})
    ->Args({256, 32, 0})
    ->Args({64, 16, 0})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, 08_tiled_b_transposed, "08_tiled_b_transposed")
    ->ArgNames({"size", "TILE", "PAD"})
    ->Args({256, 32, 1})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, 02_naive, "02_naive")
    ->ArgNames({"size", "TILE", "PAD"})
    ->Args({256, 32, 0})
    ->Args({100, 16, 0})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

void register_changes() {
    for (const KernelInfo& kernel : catalog()) {
        const std::string name = "change/" + std::string(kernel.id);
        benchmark::RegisterBenchmark((name + "/built_in").c_str(), change, kernel, &record_built_in)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
        // Once, because the process keeps compiled kernels.
        benchmark::RegisterBenchmark((name + "/on_the_spot").c_str(), change, kernel,
                                     &record_compiled)
            ->Iterations(1)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
    }
}

}  // namespace
}  // namespace tilereel

int main(int count, char** words) {
    tilereel::register_changes();
    benchmark::Initialize(&count, words);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

// The speed of recording on a GPU, beside that of recording the same launches on the CPU,
// interleaved in one process, so that both run at the same clocks. Medians in milliseconds. The
// goal is 1 G accesses a second, from the request to the finished trace.
//
//   gpu_record_benchmark                  the launches of tests/hardware/speed.csv
//   gpu_record_benchmark KERNEL ...       those of the kernels; 512 x 512 x 512 without any
//
// Exit codes: 0, 1 a recording failed, 2 there is no such kernel, 77 there is no GPU.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/ladder/gpu_ladder.h"
#include "app/ladder/ladder.h"
#include "tests/hardware/cases.h"

namespace tilereel::program {
namespace {

constexpr int kFailed = 1, kWrongCall = 2, kNoGpu = 77;
constexpr int kRounds = 5;
constexpr int kLargestOnCpu = 512;  // M: a larger launch takes the CPU many seconds
constexpr std::uint64_t kMemoryLimitBytes = std::uint64_t{16} << 30;

struct Round {
    double whole_ms = 0;
    GpuTimes times;  // of a recording on the GPU
    std::uint64_t accesses = 0;
};

template <class Record>
Result<Round> timed(Record&& record) {
    Round round;
    const auto begin = std::chrono::steady_clock::now();
    const Result<Trace> trace = record(round.times);
    round.whole_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (!trace) return trace.error();
    round.accesses = access_count(*trace);
    return round;
}

template <class Value>
double median(const std::vector<Round>& rounds, Value&& value) {
    std::vector<double> values;
    for (const Round& round : rounds) values.push_back(value(round));
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
}

void print(const hardware::Case& each, const std::vector<Round>& gpu,
           const std::vector<Round>& cpu) {
    const auto whole = [](const Round& round) { return round.whole_ms; };
    const double gpu_ms = median(gpu, whole), cpu_ms = median(cpu, whole);
    const double passes =
        median(gpu, [](const Round& round) { return round.times.count_ms + round.times.fill_ms; });
    const double conversion =
        median(gpu, [](const Round& round) { return round.times.convert_ms; });
    const KernelParameters& p = each.parameters;
    const std::string launch = std::string(each.kernel) + " TILE " + std::to_string(p.tile) + ", " +
                               std::to_string(p.m) + " x " + std::to_string(p.n) + " x " +
                               std::to_string(p.k);
    std::printf("%-48s %8.1f %8.1f %8.1f %8.2f", launch.c_str(), passes, conversion, gpu_ms,
                static_cast<double>(gpu.front().accesses) / gpu_ms * 1e-6);
    if (cpu.empty())
        std::printf("\n");
    else
        std::printf(" %8.1f %8.2f\n", cpu_ms, cpu_ms / gpu_ms);
    std::fflush(stdout);
}

// The first round starts the GPU and grows its memory: it is not counted.
Status measure(GpuLadder& gpu, const hardware::Case& each) {
    RecordRequest request;
    request.kernel = each.kernel;
    request.parameters = each.parameters;
    request.memory_limit_bytes = kMemoryLimitBytes;
    std::vector<Round> on_gpu, on_cpu;
    for (int i = 0; i <= kRounds; ++i) {
        const Result<Round> round =
            timed([&](GpuTimes& times) { return gpu.record(request, nullptr, &times); });
        if (!round) return round.error();
        if (i > 0) on_gpu.push_back(*round);
        if (request.parameters.m > kLargestOnCpu || i > kRounds / 2) continue;
        const Result<Round> cpu = timed([&](GpuTimes&) { return record_built_in(request); });
        if (!cpu) return cpu.error();
        on_cpu.push_back(*cpu);
    }
    print(each, on_gpu, on_cpu);
    return Done{};
}

// Returns false if there is no such kernel.
bool add_cases(std::string_view kernel, std::vector<hardware::Case>& cases) {
    const std::size_t before = cases.size();
    std::ranges::copy_if(hardware::large_cases(), std::back_inserter(cases),
                         [&](const hardware::Case& each) { return each.kernel == kernel; });
    if (cases.size() != before) return true;
    const KernelInfo* const info = find_kernel(kernel);
    if (info == nullptr) return false;
    const int tile = info->tiles[info->tiles.size() / 2];
    cases.push_back({info->id, {.m = 512, .n = 512, .k = 512, .tile = tile, .pad = 0}});
    return true;
}

int run(const std::vector<std::string_view>& kernels) {
    std::vector<hardware::Case> cases;
    if (kernels.empty()) cases = hardware::large_cases();
    for (const std::string_view kernel : kernels) {
        if (add_cases(kernel, cases)) continue;
        std::fprintf(stderr,
                     "gpu_record_benchmark: there is no kernel %s; name one such as 09_tiled\n",
                     std::string(kernel).c_str());
        return kWrongCall;
    }
    Result<std::unique_ptr<Gpu>> opened = open_gpu();
    if (!opened) {
        std::printf("skipped: %s\n", opened.error().message.c_str());
        return kNoGpu;
    }
    GpuLadder gpu(std::move(opened).value());
    std::printf("%-48s %8s %8s %8s %8s %8s %8s\n", "", "passes", "convert", "whole", "G/s", "CPU",
                "CPU/GPU");
    int result = 0;
    for (const hardware::Case& each : cases) {
        const Status measured = measure(gpu, each);
        if (measured) continue;
        std::fprintf(stderr, "gpu_record_benchmark: %s: %s\n", std::string(each.kernel).c_str(),
                     measured.error().message.c_str());
        result = kFailed;
    }
    return result;
}

}  // namespace
}  // namespace tilereel::program

int main(int argc, char** argv) {
    return tilereel::program::run(std::vector<std::string_view>(argv + 1, argv + argc));
}

// Runs on a machine with a GPU what measure.py makes tables of. One subcommand a table, CSV on
// stdout; errors in one line on stderr.
//   gpu_tables machine              the GPU, its driver, the toolkit
//   gpu_tables cases                the launches of ladder_as_written and ladder_as_compiled, in
//                                   order, with what the analysis counts in them
//   gpu_tables recorder all|small   the GPU's trace of each case against the emulator's
//   gpu_tables speed                how fast launches are recorded
//   gpu_tables trace FILE [KERNEL]  records a small launch into a trace file
//   gpu_tables run traced|champion  small launches, for compute-sanitizer; champion: 20 as it
//                                   races, every path of its kernels
//   gpu_tables faults               provokes errors of the GPU and prints their sentences
// A kernel's id behind `cases`, `recorder all|small` and `run traced` leaves the other kernels out.
// Exit codes: 0, 1 something failed or differs, 2 a wrong call, 77 there is no GPU.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

#include "instrumentation/analysis/counters.h"
#include "instrumentation/record/device/gpu_recorder.h"
#include "instrumentation/trace/trace_file.h"
#include "tests/hardware/cases.h"
#include "tests/hardware/launch_champion.h"
#include "tests/record/device/converted.h"

namespace tilereel::hardware {
namespace {

constexpr int kFailed = 1, kWrongCall = 2, kNoGpu = 77;
constexpr std::uint64_t kMemoryLimitBytes = std::uint64_t{16} << 30;

int report(const Case* each, const Error& error) {
    const std::string where = each == nullptr ? "" : std::string(each->kernel) + ": ";
    std::fprintf(stderr, "gpu_tables: %s%s\n", where.c_str(), error.message.c_str());
    return kFailed;
}

std::string case_text(const Case& each) {
    const KernelParameters& p = each.parameters;
    std::string text(each.kernel);
    for (const int number : {p.tile, p.pad, p.m, p.n, p.k}) text += "," + std::to_string(number);
    return text;
}
constexpr const char* kCaseColumns = "kernel,tile,pad,m,n,k";

RecordRequest request_of(const Case& each) {
    RecordRequest request;
    request.kernel = each.kernel;
    request.parameters = each.parameters;
    request.memory_limit_bytes = kMemoryLimitBytes;
    return request;
}

// Columns as measure.py names the counters.
int print_cases(const Chosen& chosen) {
    std::printf(
        "%s,shared_load_requests,shared_load_wavefronts,shared_load_conflicts,"
        "shared_store_requests,shared_store_wavefronts,shared_store_conflicts,"
        "global_load_requests,global_load_sectors,global_store_requests,"
        "global_store_sectors\n",
        kCaseColumns);
    for (const Case& each : counted_cases(chosen)) {
        const Result<Trace> trace = record_with_emulator(request_of(each));
        if (!trace) return report(&each, trace.error());
        const KernelCounts counts = count_warps(*trace);
        std::string row = case_text(each);
        for (const AccessCounts* shared : {&counts.shared_load, &counts.shared_store})
            for (const std::uint64_t count :
                 {shared->requests, shared->wavefronts, shared->bank_conflicts})
                row += "," + std::to_string(count);
        for (const AccessCounts* global : {&counts.global_load, &counts.global_store})
            for (const std::uint64_t count : {global->requests, global->sectors})
                row += "," + std::to_string(count);
        std::puts(row.c_str());
    }
    return 0;
}

int print_machine(const Gpu& gpu) {
    const GpuName name = gpu.name();
    std::printf("gpu,driver,toolkit\n%s,%s,%s\n", name.device.c_str(), name.driver.c_str(),
                toolkit_version().c_str());
    return 0;
}

int compare_recorders(Gpu& gpu, const std::vector<Case>& cases) {
    if (cases.empty()) {
        std::fprintf(stderr, "skipped: this GPU takes no such kernel\n");
        return kNoGpu;
    }
    std::printf("%s,records,accesses,multiprocessors,difference\n", kCaseColumns);
    int result = 0;
    for (const Case& each : cases) {
        const Result<Trace> emulated = record_with_emulator(request_of(each));
        if (!emulated) return report(&each, emulated.error());
        const Result<Trace> recorded = record_with_gpu(request_of(each), gpu);
        std::string difference =
            recorded ? tilereel::testing::difference_but_for_time(*emulated, *recorded)
                     : recorded.error().message;
        if (recorded && recorded->records.clock.size() != recorded->records.size())
            difference = "clocks are missing";
        std::vector<std::uint16_t> used =
            recorded ? recorded->multiprocessors : std::vector<std::uint16_t>();
        std::ranges::sort(used);
        const auto multiprocessors = std::ranges::unique(used).begin() - used.begin();
        std::printf("%s,%zu,%llu,%td,%s\n", case_text(each).c_str(), emulated->records.size(),
                    static_cast<unsigned long long>(access_count(*emulated)), multiprocessors,
                    difference.empty() ? "none" : difference.c_str());
        if (!difference.empty()) result = kFailed;
        if (difference == "arrays" || difference == "launch")
            for (std::size_t i = 0; i < emulated->arrays.size(); ++i)
                std::fprintf(stderr, "gpu_tables: %s: %s begins at byte %u, on the GPU at %u\n",
                             case_text(each).c_str(), emulated->arrays[i].name.c_str(),
                             emulated->arrays[i].base_bytes, recorded->arrays[i].base_bytes);
    }
    return result;
}

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

// The best of a few runs: the first also starts the GPU and grows the memory.
int print_speeds(Gpu& gpu) {
    std::printf(
        "%s,accesses,gpu_records,gpu_buffer_mib,count_ms,fill_ms,convert_ms,whole_ms,"
        "fill_gaccesses_s,gpu_gaccesses_s,whole_gaccesses_s\n",
        kCaseColumns);
    for (const Case& each : large_cases()) {
        GpuTimes best;
        double best_ms = 0;
        std::uint64_t accesses = 0;
        const bool huge = each.parameters.m > 512;
        for (int i = 0; i < (huge ? 2 : 4); ++i) {
            GpuTimes times;
            const auto begin = std::chrono::steady_clock::now();
            const Result<Trace> trace = record_with_gpu(request_of(each), gpu, nullptr, &times);
            const double ms = milliseconds_since(begin);
            if (!trace) return report(&each, trace.error());
            accesses = access_count(*trace);
            if (best_ms == 0 || ms < best_ms) {
                best_ms = ms;
                best = times;
            }
        }
        const double mega = double(accesses) / 1e6;  // a ms of them is a G a second
        std::printf("%s,%llu,%llu,%llu,%.2f,%.2f,%.1f,%.1f,%.2f,%.2f,%.2f\n",
                    case_text(each).c_str(), static_cast<unsigned long long>(accesses),
                    static_cast<unsigned long long>(best.records),
                    static_cast<unsigned long long>(best.buffer_bytes >> 20), best.count_ms,
                    best.fill_ms, best.convert_ms, best_ms, mega / best.fill_ms,
                    mega / (best.count_ms + best.fill_ms), mega / best_ms);
        std::fflush(stdout);
    }
    return 0;
}

int launch_champions() {
    for (const ChampionCase& each : champion_cases()) {
        const Status launched = launch_champion(each);
        if (launched) continue;
        const ChampionSize& size = each.size;
        std::fprintf(stderr, "gpu_tables: 20_champion, %dx%dx%d, way %d: %s\n", size.m, size.n,
                     size.k, each.choice.way, launched.error().message.c_str());
        return launched.error().kind == ErrorKind::kWrongCall ? kNoGpu : kFailed;
    }
    return 0;
}

int record_small(Gpu& gpu, const Chosen& chosen) {
    for (const Case& each : small_cases(chosen)) {
        const Result<Trace> trace = record_with_gpu(request_of(each), gpu);
        if (!trace) return report(&each, trace.error());
    }
    return 0;
}

int write_small_trace(Gpu& gpu, const std::string& path, const Chosen& chosen) {
    const Case small = chosen.kernel.empty() ? Case{"09_tiled", {16, 16, 16, 8, 0}}
                                             : Case{chosen.kernel, {33, 17, 40, 32, 0}};
    const Result<Trace> trace = record_with_gpu(request_of(small), gpu);
    if (!trace) return report(&small, trace.error());
    const Status written = write_trace(*trace, path);
    return written ? 0 : report(&small, written.error());
}

// The last one leaves the GPU unusable for this process: what follows must say so, too.
int print_faults(Gpu& gpu) {
    const auto show = [](const char* what, const Status& status) {
        std::printf("%s: %s\n", what, status ? "no error" : status.error().message.c_str());
    };
    const auto as_status = [](const auto& result) -> Status {
        if (result) return Done{};
        return result.error();
    };
    show("more memory than there is", as_status(gpu.allocate(std::uint64_t{1} << 50)));
    const Case small{"09_tiled", {16, 16, 16, 16, 0}};
    show("a recording after it", as_status(record_with_gpu(request_of(small), gpu)));
    TracedLaunch launch{.kernel = small.kernel,
                        .parameters = small.parameters,
                        .shape = {.grid_x = 1, .grid_y = 1, .block_x = 2048, .block_y = 1},
                        .a = {},
                        .b = {},
                        .c = {},
                        .trace = {}};
    show("a block that is too large", as_status(gpu.run(launch)));
    show("a recording after it", as_status(record_with_gpu(request_of(small), gpu)));
    launch.shape.block_x = 16;
    show("a kernel that writes to address 0", as_status(gpu.run(launch)));
    show("a recording after it", as_status(record_with_gpu(request_of(small), gpu)));
    return 0;
}

int run(const std::string& command, const std::string& what, const std::string& kernel) {
    const Result<std::unique_ptr<Gpu>> gpu = open_gpu();
    if (command == "cases")
        return print_cases(gpu ? Chosen{what, (*gpu)->compute_capability()} : Chosen{what});
    if (!gpu) {
        std::fprintf(stderr, "skipped: %s\n", gpu.error().message.c_str());
        return kNoGpu;
    }
    const Chosen chosen{kernel, (*gpu)->compute_capability()};
    if (command == "machine") return print_machine(**gpu);
    if (command == "recorder")
        return compare_recorders(**gpu,
                                 what == "small" ? small_cases(chosen) : counted_cases(chosen));
    if (command == "speed") return print_speeds(**gpu);
    if (command == "trace") return write_small_trace(**gpu, what, chosen);
    if (command == "faults") return print_faults(**gpu);
    if (command == "run" && what == "traced") return record_small(**gpu, chosen);
    if (command == "run" && what == "champion") return launch_champions();
    return kWrongCall;
}

}  // namespace
}  // namespace tilereel::hardware

int main(int argc, char** argv) {
    if (argc < 2 || argc > 4) return 2;
    return tilereel::hardware::run(argv[1], argc > 2 ? argv[2] : "", argc > 3 ? argv[3] : "");
}

// Measures on a machine with a GPU what measure.py writes into tables. One subcommand for each
// measurement; CSV on stdout, errors in one line on stderr.
//   gpu_tables machine              the GPU, its driver, the toolkit
//   gpu_tables cases                the launches of ladder_as_written and ladder_as_compiled, in
//                                   order, with what the analysis counts in them
//   gpu_tables recorder all|small   the GPU's trace of each case against the CPU's
//   gpu_tables speed                how fast launches are recorded
//   gpu_tables trace FILE [KERNEL]  records a small launch into a trace file
//   gpu_tables run recorded|champion  small launches, for compute-sanitizer; champion: 20 as it
//                                   races, every path of its kernels
//   gpu_tables faults               provokes errors of the GPU and prints their sentences
// A kernel's id after `cases`, `recorder all|small` and `run recorded` leaves the other kernels
// out. Exit codes: 0, 1 something failed or differs, 2 a wrong call, 77 there is no GPU.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

#include "app/ladder/gpu_ladder.h"
#include "app/ladder/ladder.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/trace/file/trace_file.h"
#include "tests/hardware/cases.h"
#include "tests/hardware/launch_champion.h"
#include "tests/ladder/same_ladder_trace.h"

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
        const Result<Trace> trace = record_built_in(request_of(each));
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

// Empty if the traces are equal, except for the clocks, the bytes of shared memory and what
// comparable_events() leaves out.
std::string difference_of(const Trace& gpu, const Trace& cpu) {
    if (!std::ranges::equal(matrix_of(gpu, MatrixRole::kC).floats(),
                            matrix_of(cpu, MatrixRole::kC).floats()))
        return "C";
    // Each compiler aligns a block's shared memory in its own way.
    if (gpu.launch.grid != cpu.launch.grid || gpu.launch.block != cpu.launch.block) return "launch";
    const bool same_segments = gpu.segments.block == cpu.segments.block &&
                               gpu.segments.epoch == cpu.segments.epoch &&
                               gpu.segments.warp == cpu.segments.warp;
    if (!same_segments) return "segments";
    const bool same_arrays =
        std::ranges::equal(gpu.arrays, cpu.arrays, [](const Array& one, const Array& other) {
            return one.name == other.name && one.rows == other.rows &&
                   one.columns == other.columns && one.base_bytes == other.base_bytes &&
                   one.leading_dimension == other.leading_dimension;
        });
    if (!same_arrays) return "arrays";
    if (gpu.accumulators != cpu.accumulators) return "accumulators";
    if (gpu.records.clock.size() != gpu.records.size()) return "clocks are missing";
    const std::vector<Event> ours = comparable_events(gpu), theirs = comparable_events(cpu);
    const auto first = std::ranges::mismatch(ours, theirs);
    if (first.in1 == ours.end() && first.in2 == theirs.end()) return "";
    return "record " + std::to_string(first.in1 - ours.begin());
}

int print_machine(const Gpu& gpu) {
    const GpuName name = gpu.name();
    std::printf("gpu,driver,toolkit\n%s,%s,%s\n", name.device.c_str(), name.driver.c_str(),
                toolkit_version().c_str());
    return 0;
}

int compare_recorders(GpuLadder& gpu, const std::vector<Case>& cases) {
    if (cases.empty()) {
        std::fprintf(stderr, "skipped: this GPU cannot run the chosen kernel\n");
        return kNoGpu;
    }
    std::printf("%s,records,accesses,multiprocessors,difference\n", kCaseColumns);
    int result = 0;
    for (const Case& each : cases) {
        const Result<Trace> cpu = record_built_in(request_of(each));
        if (!cpu) return report(&each, cpu.error());
        const Result<Trace> recorded = gpu.record(request_of(each));
        const std::string difference =
            recorded ? difference_of(*recorded, *cpu) : recorded.error().message;
        std::vector<std::uint16_t> used =
            recorded ? recorded->multiprocessors : std::vector<std::uint16_t>();
        std::ranges::sort(used);
        const auto multiprocessors = std::ranges::unique(used).begin() - used.begin();
        std::printf("%s,%zu,%llu,%td,%s\n", case_text(each).c_str(), cpu->records.size(),
                    static_cast<unsigned long long>(access_count(*cpu)), multiprocessors,
                    difference.empty() ? "none" : difference.c_str());
        std::fflush(stdout);
        if (!difference.empty()) result = kFailed;
    }
    return result;
}

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

// The best of a few runs: the first also starts the GPU and grows the memory.
int print_speeds(GpuLadder& gpu) {
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
            const Result<Trace> trace = gpu.record(request_of(each), nullptr, &times);
            const double ms = milliseconds_since(begin);
            if (!trace) return report(&each, trace.error());
            accesses = access_count(*trace);
            if (best_ms == 0 || ms < best_ms) {
                best_ms = ms;
                best = times;
            }
        }
        const double mega = double(accesses) / 1e6;  // 1e6 per ms are 1e9 per s
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
        std::fprintf(stderr, "gpu_tables: 20_champion, %dx%dx%d, configuration %d: %s\n", size.m,
                     size.n, size.k, each.choice.config, launched.error().message.c_str());
        return launched.error().kind == ErrorKind::kWrongCall ? kNoGpu : kFailed;
    }
    return 0;
}

int record_small(GpuLadder& gpu, const Chosen& chosen) {
    for (const Case& each : small_cases(chosen)) {
        const Result<Trace> trace = gpu.record(request_of(each));
        if (!trace) return report(&each, trace.error());
    }
    return 0;
}

int write_small_trace(GpuLadder& gpu, const std::string& path, const Chosen& chosen) {
    const Case small = chosen.kernel.empty() ? Case{"09_tiled", {16, 16, 16, 8, 0}}
                                             : Case{chosen.kernel, {33, 17, 40, 32, 0}};
    const Result<Trace> trace = gpu.record(request_of(small));
    if (!trace) return report(&small, trace.error());
    const Status written = write_trace(*trace, path);
    return written ? 0 : report(&small, written.error());
}

// The last fault makes the GPU unusable for this process. Later calls must report this, too.
int print_faults(GpuLadder& gpu) {
    const auto show = [](const char* what, const Status& status) {
        std::printf("%s: %s\n", what, status ? "no error" : status.error().message.c_str());
    };
    const auto as_status = [](const auto& result) -> Status {
        if (result) return Done{};
        return result.error();
    };
    show("more memory than there is", as_status(gpu.gpu().allocate(std::uint64_t{1} << 50)));
    const Case small{"09_tiled", {16, 16, 16, 16, 0}};
    show("a recording after it", as_status(gpu.record(request_of(small))));
    show("invalid PTX", as_status(gpu.gpu().load("nothing", 64)));
    const Result<std::unique_ptr<GpuModule>> module = gpu.gpu().load(
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry wild()\n{\n"
        ".reg .b64 %a;\nmov.u64 %a, 16;\nst.global.u32 [%a], 0;\nret;\n}\n",
        64);
    if (!module) return report(nullptr, module.error());
    ModuleLaunch launch{.symbol = "wild",
                        .shape = {.grid_x = 1, .grid_y = 1, .block_x = 2048, .block_y = 1},
                        .parameters = {}};
    show("a block that is too large", as_status((*module)->run(launch)));
    show("a recording after it", as_status(gpu.record(request_of(small))));
    launch.shape.block_x = 16;
    show("a kernel that writes to address 16", as_status((*module)->run(launch)));
    show("a recording after it", as_status(gpu.record(request_of(small))));
    return 0;
}

int run(const std::string& command, const std::string& what, const std::string& kernel) {
    Result<std::unique_ptr<Gpu>> opened = open_gpu();
    if (command == "cases")
        return print_cases(opened ? Chosen{what, (*opened)->compute_capability()} : Chosen{what});
    if (!opened) {
        std::fprintf(stderr, "skipped: %s\n", opened.error().message.c_str());
        return kNoGpu;
    }
    GpuLadder gpu(std::move(opened).value());
    const Chosen chosen{kernel, gpu.gpu().compute_capability()};
    if (command == "machine") return print_machine(gpu.gpu());
    if (command == "recorder")
        return compare_recorders(gpu,
                                 what == "small" ? small_cases(chosen) : counted_cases(chosen));
    if (command == "speed") return print_speeds(gpu);
    if (command == "trace") return write_small_trace(gpu, what, chosen);
    if (command == "faults") return print_faults(gpu);
    if (command == "run" && what == "recorded") return record_small(gpu, chosen);
    if (command == "run" && what == "champion") return launch_champions();
    return kWrongCall;
}

}  // namespace
}  // namespace tilereel::hardware

int main(int argc, char** argv) {
    if (argc < 2 || argc > 4) return 2;
    return tilereel::hardware::run(argv[1], argc > 2 ? argv[2] : "", argc > 3 ? argv[3] : "");
}

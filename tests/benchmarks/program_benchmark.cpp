// Measures the CPU recorder: the time from a CUDA file to its trace, the recording rate, and the
// time of large programs. The rate is per second of CPU time, which depends little on other work on
// the machine.
//
//   program_benchmark                    the figures, each with its goal
//   program_benchmark large [SIZE ...]   tiled products of these sizes, most blocks not recorded
//   program_benchmark sandbox [RUNS]     the same file with and without a sandbox, in turn
//   program_benchmark run FILE.cu [ARGUMENT ...]
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "instrumentation/program/program.h"
#include "instrumentation/program/stranger.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel::program {
namespace {

using Clock = std::chrono::steady_clock;

const std::filesystem::path kPrograms = TILEREEL_PROGRAMS;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double cpu_seconds(int who) {
    rusage used{};
    getrusage(who, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

struct Measured {
    ProgramRun run;
    double wall = 0, run_cpu = 0;  // seconds; run_cpu: the program's CPU time, without the compiler
    std::uint64_t accesses = 0;
};

Measured measure(ProgramRequest request) {
    Measured measured;
    ProgramProgress progress;
    double compiled = 0;
    const auto begin = Clock::now();
    std::jthread watch([&](const std::stop_token& stop) {
        while (!stop.stop_requested() && progress.stage().kind == ProgramStage::Kind::kCompiling)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        compiled = cpu_seconds(RUSAGE_CHILDREN);
    });
    Result<ProgramRun> run = run_program(request, &progress);
    watch.request_stop();
    watch.join();
    measured.run_cpu = cpu_seconds(RUSAGE_CHILDREN) - compiled;
    if (!run || !run->compile_errors.empty()) {
        std::fprintf(stderr, "%s\n", run ? run->output.c_str() : run.error().message.c_str());
        std::exit(1);
    }
    measured.run = *run;
    for (const LaunchSummary& launch : run->launches) {
        measured.accesses += launch.accesses;
        if (launch.trace.empty() || read_trace(launch.trace)) continue;
        std::fprintf(stderr, "the trace cannot be read\n");
        std::exit(1);
    }
    measured.wall = seconds_since(begin);
    return measured;
}

ProgramRequest product(int size, int tile) {
    ProgramRequest request;
    request.file = kPrograms / "tiled_product.cu";
    request.arguments = {std::to_string(size)};
    request.defines = {"TILE=" + std::to_string(tile)};
    request.limits.seconds = 600;
    return request;
}

ProgramRequest all_recorded(ProgramRequest request) {
    request.limits.accesses_a_launch = request.limits.accesses = std::uint64_t{1} << 32;
    return request;
}

void tell_figures() {
    measure(product(16, 16));  // also builds the plugin and the precompiled header: not counted
    std::printf("%-58s %8s   goal\n", "", "measured");
    const Measured first = measure(product(64, 16));
    std::printf("%-58s %6.2f s   2 s\n", "CUDA file to trace, 64 x 64 x 64, wall", first.wall);
    std::printf("%-58s %6.2f s   0.3 s\n", "64 x 64 x 64 recorded, wall", first.run.run_seconds);
    for (const int tile : {32, 16}) {
        const Measured large = measure(all_recorded(product(256, tile)));
        const double rate = static_cast<double>(large.accesses) / large.run_cpu * 1e-6;
        std::printf("tiled product 256 x 256 x 256, TILE %d, all recorded%*s %5.0f M/s   100 M/s\n",
                    tile, 8, "", rate);
    }
}

void tell_large(int size) {
    const Measured large = measure(product(size, 16));
    std::printf("%d x %d x %d: %.2f s wall, %.2f s of CPU, %llu accesses recorded; %s", size, size,
                size, large.run.run_seconds, large.run_cpu,
                static_cast<unsigned long long>(large.accesses), large.run.output.c_str());
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// The two take turns, so that other work on the machine meets both.
void tell_sandbox(int runs) {
    if (const std::string& why = why_no_sandbox(); !why.empty()) {
        std::printf("not measured: %s\n", why.c_str());
        return;
    }
    std::array<std::vector<double>, 2> compile, run;
    for (int i = 0; i <= runs; ++i)
        for (const bool in_sandbox : {false, true}) {
            ProgramRequest request = product(64, 16);
            request.in_sandbox = in_sandbox;
            const Measured measured = measure(request);
            if (i == 0) continue;  // also builds the plugin and the precompiled header
            compile[in_sandbox ? 1 : 0].push_back(measured.run.compile_seconds);
            run[in_sandbox ? 1 : 0].push_back(measured.run.run_seconds);
        }
    const auto tell = [](const char* what, const std::array<std::vector<double>, 2>& seconds) {
        const double without = median(seconds[0]), with = median(seconds[1]);
        std::printf("%-10s without %.3f s, in a sandbox %.3f s: ratio %.3f\n", what, without, with,
                    with / without);
    };
    tell("compiled", compile);
    tell("ran", run);
    for (std::size_t side : {0u, 1u})
        for (std::size_t i = 0; i < run[side].size(); ++i) compile[side][i] += run[side][i];
    tell("together", compile);
}

int run_file(int count, char** words) {
    ProgramRequest request;
    request.file = words[0];
    request.arguments.assign(words + 1, words + count);
    const Measured measured = measure(request);
    std::printf("%s%s\ncompile %.2f s, run %.2f s, CPU %.2f s\n", measured.run.output.c_str(),
                measured.run.end_sentence.c_str(), measured.run.compile_seconds,
                measured.run.run_seconds, measured.run_cpu);
    for (const LaunchSummary& launch : measured.run.launches) {
        std::printf("%u %s: %llu blocks recorded, %llu accesses\n", launch.number,
                    launch.kernel.c_str(), static_cast<unsigned long long>(launch.recorded_blocks),
                    static_cast<unsigned long long>(launch.accesses));
        for (const RecordedFinding& finding : launch.findings)
            std::printf("  %s\n", finding.what.c_str());
    }
    for (const RecordedFinding& finding : measured.run.findings)
        std::printf("%s %s\n", finding.what.c_str(), finding.advice.c_str());
    return 0;
}

}  // namespace
}  // namespace tilereel::program

int main(int count, char** words) {
    using namespace tilereel::program;
    const std::string what = count > 1 ? words[1] : "";
    if (what == "run" && count > 2) return run_file(count - 2, words + 2);
    if (what == "sandbox") {
        tell_sandbox(count > 2 ? std::max(1, std::atoi(words[2])) : 11);
        return 0;
    }
    if (what == "large") {
        if (count == 2) tell_large(1024);
        for (int i = 2; i < count; ++i) tell_large(std::atoi(words[i]));
        return 0;
    }
    tell_figures();
    return 0;
}

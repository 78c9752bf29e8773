#include "instrumentation/program/gpu/gpu_run.h"

#include <algorithm>

#include "instrumentation/gpu/convert/debug_file.h"
#include "instrumentation/gpu/convert/gpu_trace.h"
#include "instrumentation/trace/check/trace_check.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel::program {
namespace {

// Sets the line of the call in host code that returns to `address`, an offset in the program.
void find_line(Dwarf* dwarf, std::uint64_t address, LaunchSummary& launch) {
    Dwarf_Die unit;
    if (dwarf == nullptr || address == 0 || dwarf_addrdie(dwarf, address - 1, &unit) == nullptr)
        return;
    Dwarf_Line* const line = dwarf_getsrc_die(&unit, address - 1);
    int number = 0;
    if (line == nullptr || dwarf_lineno(line, &number) != 0) return;
    const char* const file = dwarf_linesrc(line, nullptr, nullptr);
    launch.line = static_cast<std::uint32_t>(number);
    if (file != nullptr) launch.file = file;
}

// cudaLaunchKernelEx() and its like are functions of CUDA's header, from which the program's own
// line is not seen: the kernel's line then, as of the same launch on the CPU.
void leave_header(const std::filesystem::path& program, const gpu::GpuFacts& facts,
                  const std::string& symbol, LaunchSummary& launch) {
    const auto kernel = facts.kernels.find(symbol);
    const std::filesystem::path header = std::filesystem::path(launch.file).filename();
    if ((header != "cuda_runtime.h" && header != "cuda_runtime_api.h") ||
        kernel == facts.kernels.end())
        return;
    launch.file = std::filesystem::absolute(kernel->second.file.empty()
                                                ? program
                                                : program.parent_path() / kernel->second.file)
                      .string();
    launch.line = kernel->second.line;
}

// Why a launch of the kernel cannot be shown as it ran; empty if it can.
std::string unrecorded_wait(const gpu::GpuFacts& facts, const std::string& symbol) {
    const auto found = facts.left_out.find(symbol);
    if (found == facts.left_out.end()) return {};
    const auto waiting = std::ranges::find_if(found->second, &gpu::PtxLeftOut::synchronizes);
    if (waiting == found->second.end()) return {};
    const std::string where =
        waiting->place.in_library ? "" : " on line " + std::to_string(waiting->place.line);
    return "The kernel's threads wait for each other by the PTX instruction " +
           waiting->instruction + where +
           ", which is not recorded on the GPU; record it on the CPU.";
}

void convert(const ProgramRequest& request, const gpu::GpuFacts& facts, const std::string& symbol,
             LaunchSummary& launch) {
    const std::filesystem::path dump = launch.trace;
    launch.trace.clear();
    const auto kernel = facts.kernels.find(symbol);
    const std::filesystem::path file = kernel == facts.kernels.end() || kernel->second.file.empty()
                                           ? request.file
                                           : request.file.parent_path() / kernel->second.file;
    Result<Trace> trace = gpu::gpu_trace(
        {.number = launch.number, .whole = launch.is_whole, .dump = dump, .file = file}, facts);
    std::error_code error;
    std::filesystem::remove(dump, error);
    if (!trace) {
        launch.reason = trace.error().message;
        return;
    }
    launch.findings = trace->findings;
    std::filesystem::path path = dump;
    path.replace_extension(".npz");
    shorten_names(trace.value());
    const Status written = write_trace(*trace, path, Compression::kNone, FileSync::kUnsynced);
    if (written)
        launch.trace = path;
    else
        launch.reason = written.error().message;
}

}  // namespace

void finish_gpu_run(const ProgramRequest& request, const std::filesystem::path& program,
                    const gpu::GpuFacts& facts, ProgramRun& run) {
    const gpu::DebugFile debug(program);
    for (LaunchSummary& launch : run.launches) {
        const std::string symbol = launch.kernel;
        launch.kernel = gpu::kernel_name(symbol);
        launch.file = std::filesystem::absolute(request.file).string();
        find_line(debug.dwarf(), launch.called_from, launch);
        leave_header(request.file, facts, symbol, launch);
        if (std::string reason = unrecorded_wait(facts, symbol); !reason.empty()) {
            launch.trace.clear();
            launch.reason = std::move(reason);
        }
        if (!launch.trace.empty()) convert(request, facts, symbol, launch);
    }
}

}  // namespace tilereel::program

#include "app/subject/rung_launch.h"

#include <system_error>
#include <utility>

namespace tilereel {

RecordRequest record_request(const Subject& subject, RecordRequest usual) {
    RecordRequest request = std::move(usual);
    request.kernel = subject.kernel;
    request.parameters = parameters_of(subject);
    request.seed = subject.seed.value_or(request.seed);
    request.removed_barrier = subject.removed_barrier;
    request.order = subject.order;
    request.find_failing_order = subject.find_failing_order;
    request.lanes_may_diverge = generation_of(subject).independent_lanes;
    if (subject.on_gpu)
        request.recorder = Recorder::kGpu;
    else if (request.recorder == Recorder::kGpu)
        request.recorder = Recorder::kCpu;
    return request;
}

Subject subject_of(const RecordRequest& request) {
    const KernelParameters& p = request.parameters;
    Subject rung{
        .kernel = request.kernel, .m = p.m, .n = p.n, .k = p.k, .tile = p.tile, .pad = p.pad};
    if (request.seed != RecordRequest{}.seed) rung.seed = request.seed;
    rung.removed_barrier = request.removed_barrier;
    rung.order = request.order;
    rung.on_gpu = request.recorder == Recorder::kGpu;
    return rung;
}

std::filesystem::path absolute_path(const std::filesystem::path& file) {
    std::error_code unknown;
    const std::filesystem::path absolute = std::filesystem::absolute(file, unknown);
    return (unknown ? file : absolute).lexically_normal();
}

Subject subject_of(const program::ProgramRequest& request, std::uint32_t launch) {
    Subject program;
    program.file = absolute_path(request.file);
    program.arguments = request.arguments;
    program.defines = request.defines;
    for (const auto& folder : request.include_folders)
        program.include_folders.push_back(absolute_path(folder));
    for (const auto& file : request.more_files) program.more_files.push_back(absolute_path(file));
    program.launch_lines = request.launch_lines;
    if (request.standard != program::ProgramRequest{}.standard) program.standard = request.standard;
    program.launch = launch;
    return program;
}

}  // namespace tilereel

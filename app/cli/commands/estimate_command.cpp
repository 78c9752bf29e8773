#include <algorithm>

#include "app/cli/program/program_report.h"
#include "app/cli/report/estimate_report.h"
#include "app/cli/subcommands.h"
#include "app/cli/typed_numbers.h"
#include "app/ladder/time_sample.h"
#include "app/workbench/launch/fit_parameters.h"
#include "app/workbench/tables/registers.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/time/pipe_work.h"

namespace tilereel {
namespace {

std::string title_of(const KernelInfo& kernel, const KernelParameters& p) {
    return std::string(kernel.id) + "  M " + with_commas(static_cast<std::uint64_t>(p.m)) + "  N " +
           with_commas(static_cast<std::uint64_t>(p.n)) + "  K " +
           with_commas(static_cast<std::uint64_t>(p.k)) + "  TILE " + std::to_string(p.tile) +
           "  PAD " + std::to_string(p.pad);
}

// The same launch without what usually costs most.
struct NamedWhatIf {
    WhatIf what_if;
    const char* words;
};
constexpr NamedWhatIf kWhatIfs[] = {{WhatIf::kNoConflicts, "without bank conflicts"},
                                    {WhatIf::kCoalesced, "every access coalesced"}};

Status add_what_ifs(TimedLaunch launch, const GpuModel& gpu, EstimatedLaunch& estimated) {
    if (estimated.estimate.kind != EstimateKind::kAbout) return Done{};
    for (const auto& [what_if, words] : kWhatIfs) {
        launch.options.what_if = what_if;
        estimated.changes.push_back({words, TRY(estimate_time(launch, gpu)).seconds});
    }
    return Done{};
}

Result<TimeSample> sample_of(const KernelInfo& kernel, RecordRequest request,
                             const KernelParameters& parameters) {
    request.parameters = parameters;
    return sample_for_time(request,
                           registers_of(kernel.id, parameters.tile, parameters.pad).a_thread);
}

}  // namespace

void EstimateCommand::add_to(CLI::App& app) {
    add_subject(app, subject);
    add_program_options(app, program);
    app.add_option("--sizes", sizes, "M, N and K alike: 512,1024,2048")->type_name("SIZES");
    app.add_option("--gpu", gpu, "The GPU: h100, h200, a100, rtx4090 or t4 (default h100)")
        ->type_name("NAME");
    app.add_flag("--warm", warm, "L2 already has what the launch reads");
    app.add_flag("--only", only, "Only this launch, without what would be if it were changed");
    app.add_flag("--json", json, "Print JSON");
}

Result<std::vector<EstimatedLaunch>> EstimateCommand::of_kernel(const GpuModel& times) const {
    const KernelInfo& kernel = *TRY(known_kernel(subject.name));
    const RecordRequest asked = TRY(request_of(subject.name, subject.options));
    std::vector<KernelParameters> launches;
    if (sizes.empty()) {
        launches.push_back(asked.parameters);
    } else {
        const auto list = parse_list(sizes, 1, kLargestExtent);
        if (!list)
            return wrong_call("--sizes takes whole numbers from 1 to " +
                              std::to_string(kLargestExtent) + ": 512,1024,2048");
        for (const int size : *list) {
            launches.push_back(asked.parameters);
            launches.back().m = launches.back().n = launches.back().k = size;
        }
    }
    std::vector<EstimatedLaunch> estimated;
    for (const KernelParameters& parameters : launches) {
        const TimeSample sample = TRY(sample_of(kernel, asked, parameters));
        EstimatedLaunch& launch = estimated.emplace_back();
        launch.title = title_of(kernel, parameters);
        launch.flop = 2 * static_cast<std::uint64_t>(parameters.m) *
                      static_cast<std::uint64_t>(parameters.n) *
                      static_cast<std::uint64_t>(parameters.k);
        launch.estimate = TRY(estimate_time(sample.launch(!warm), times));
        if (only || launch.estimate.kind != EstimateKind::kAbout) continue;
        TRY(add_what_ifs(sample.launch(!warm), times, launch));
        const auto add_change = [&](KernelParameters other, const std::string& words) -> Status {
            if (!validate(kernel, other)) return Done{};
            const TimeSample changed = TRY(sample_of(kernel, asked, other));
            launch.changes.push_back(
                {words, TRY(estimate_time(changed.launch(!warm), times)).seconds});
            return Done{};
        };
        for (const int tile : kernel.tiles) {
            KernelParameters other = parameters;
            other.tile = tile;
            if (tile != parameters.tile) TRY(add_change(other, "TILE " + std::to_string(tile)));
        }
        for (const int pad : kernel.pads) {
            KernelParameters other = parameters;
            other.pad = pad;
            if (pad != parameters.pad) TRY(add_change(other, "PAD " + std::to_string(pad)));
        }
    }
    return estimated;
}

Result<std::vector<EstimatedLaunch>> EstimateCommand::of_recording(const GpuModel& times,
                                                                   const Trace& trace) const {
    EstimatedLaunch launch;
    launch.title = trace.launch.kernel;
    const std::size_t blocks = std::max<std::size_t>(whole_blocks(trace).size(), 1);
    launch.flop = count_kernel(trace).flop() / blocks * trace.launch.blocks();
    const TimedLaunch timed{.trace = &trace,
                            .blocks = trace.launch.blocks(),
                            .resources = {.threads = static_cast<int>(trace.launch.threads()),
                                          .registers_per_thread = kAssumedRegisters,
                                          .shared_bytes = trace.launch.shared_bytes},
                            .dram_bytes = least_dram_bytes(trace),
                            .cold = !warm,
                            .band = trace.product ? kBandOfProducts : kBandOfOthers};
    launch.estimate = TRY(estimate_time(timed, times));
    if (!only) TRY(add_what_ifs(timed, times, launch));
    return std::vector{std::move(launch)};
}

Result<std::string> EstimateCommand::run() const {
    const GpuModel* const times = find_gpu_model(gpu);
    if (times == nullptr)
        return wrong_call("--gpu " + gpu +
                          ": no such GPU; h100, h200, a100, rtx4090 and t4 are known");
    const auto kind = TRY(
        kind_of_subject(subject.name, {FileKind::kProgram, FileKind::kTrace}, parts_of(program)));
    std::vector<EstimatedLaunch> launches;
    if (!kind) {
        TRY(check_no_program_options(subject.name, program));
        launches = TRY(of_kernel(*times));
    } else {
        if (!sizes.empty())
            return wrong_call("--sizes is for kernels of the ladder; '" + subject.name +
                              "' has its own sizes");
        const Generation& generation = *find_generation(times->generation);
        if (*kind == FileKind::kProgram) {
            TRY(check_no_kernel_options(subject.name, subject.options));
            const Trace trace = TRY(trace_of_launch(
                subject.name, on_device(program, subject.options.device), generation));
            launches = TRY(of_recording(*times, trace));
        } else {
            TRY(check_no_program_options(subject.name, program));
            const Trace trace = TRY(obtain_trace(subject));
            launches = TRY(of_recording(*times, trace));
        }
    }
    return json ? estimate_json(launches, *times) : estimate_text(launches, *times);
}

}  // namespace tilereel

#include <memory>
#include <utility>

#include "app/cli/program/program_report.h"
#include "app/cli/report/estimate_report.h"
#include "app/cli/subcommands.h"
#include "app/cli/typed_numbers.h"
#include "instrumentation/program/gpu/machine_code.h"

namespace tilereel {
namespace {

constexpr std::string_view kTierOfRecording = "recording", kTierOfMachineCode = "machine";

}  // namespace

void EstimateCommand::add_to(CLI::App& app) {
    add_subject(app, subject);
    add_program_options(app, program);
    app.add_option("--sizes", sizes, "M, N and K alike: 512,1024,2048")->type_name("SIZES");
    app.add_option("--gpu", gpu, "The GPU: h100, h200, a100, rtx4090 or t4 (default h100)")
        ->type_name("NAME");
    app.add_flag("--warm", warm, "L2 already has what the launch reads");
    app.add_flag("--only", only, "Only this launch, without what would be if it were changed");
    app.add_option(
           "--tier", tier,
           "What is simulated: recording (default), or machine, the code that nvcc makes of the "
           "program")
        ->type_name("TIER");
    app.add_flag("--json", json, "Print JSON");
}

Result<std::vector<EstimatedLaunch>> EstimateCommand::of_kernel(const GpuModel& times) const {
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
        TimeQuestion question{
            .gpu = &times, .cold = !warm, .with_changes = !only, .request = asked};
        question.request.parameters = parameters;
        estimated.push_back(TRY(estimate_launch(question)));
    }
    return estimated;
}

// Adds what nvcc makes of the launch's kernel, or why there is nothing.
Status EstimateCommand::add_machine_code(TimeQuestion& question) const {
    if (tier != kTierOfMachineCode) return Done{};
    std::string architecture = "sm_" + std::string(question.gpu->generation);
    std::erase(architecture, '.');
    const auto kernels = program::machine_code_of(
        request_of_program(subject.name, program, std::string(question.gpu->generation)),
        architecture);
    if (!kernels) return kernels.error();
    const MachineKernel* const found =
        program::kernel_named(*kernels, question.trace->launch.kernel);
    if (found != nullptr)
        question.machine = std::make_shared<const MachineKernel>(*found);
    else
        question.why_no_machine = "nvcc's machine code has no kernel of this name";
    return Done{};
}

Result<std::vector<EstimatedLaunch>> EstimateCommand::of_recording(const GpuModel& times,
                                                                   Trace trace,
                                                                   bool of_program) const {
    TimeQuestion question{.gpu = &times,
                          .cold = !warm,
                          .with_changes = !only,
                          .trace = std::make_shared<const Trace>(std::move(trace))};
    if (of_program) TRY(add_machine_code(question));
    return std::vector{TRY(estimate_launch(question))};
}

Result<std::string> EstimateCommand::run() const {
    const GpuModel* const times = find_gpu_model(gpu);
    if (times == nullptr)
        return wrong_call("--gpu " + gpu +
                          ": no such GPU; h100, h200, a100, rtx4090 and t4 are known");
    if (!tier.empty() && tier != kTierOfRecording && tier != kTierOfMachineCode)
        return wrong_call("--tier takes recording or machine");
    const auto kind = TRY(
        kind_of_subject(subject.name, {FileKind::kProgram, FileKind::kTrace}, parts_of(program)));
    std::vector<EstimatedLaunch> launches;
    if (tier == kTierOfMachineCode && kind != FileKind::kProgram)
        return wrong_call("--tier machine is for CUDA programs; '" + subject.name + "' is none");
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
            Trace trace = TRY(trace_of_launch(
                subject.name, on_device(program, subject.options.device), generation));
            launches = TRY(of_recording(*times, std::move(trace), true));
        } else {
            TRY(check_no_program_options(subject.name, program));
            Trace trace = TRY(obtain_trace(subject));
            launches = TRY(of_recording(*times, std::move(trace), false));
        }
    }
    return json ? estimate_json(launches, *times) : estimate_text(launches, *times);
}

}  // namespace tilereel

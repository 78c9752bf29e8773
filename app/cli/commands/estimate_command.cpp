#include <memory>
#include <utility>

#include "app/cli/program/program_report.h"
#include "app/cli/report/estimate_report.h"
#include "app/cli/subcommands.h"
#include "app/cli/typed_numbers.h"

namespace tilereel {
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

Result<std::vector<EstimatedLaunch>> EstimateCommand::of_recording(const GpuModel& times,
                                                                   Trace trace) const {
    return std::vector{
        TRY(estimate_launch({.gpu = &times,
                             .cold = !warm,
                             .with_changes = !only,
                             .trace = std::make_shared<const Trace>(std::move(trace))}))};
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
            Trace trace = TRY(trace_of_launch(
                subject.name, on_device(program, subject.options.device), generation));
            launches = TRY(of_recording(*times, std::move(trace)));
        } else {
            TRY(check_no_program_options(subject.name, program));
            Trace trace = TRY(obtain_trace(subject));
            launches = TRY(of_recording(*times, std::move(trace)));
        }
    }
    return json ? estimate_json(launches, *times) : estimate_text(launches, *times);
}

}  // namespace tilereel

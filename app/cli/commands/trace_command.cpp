#include <nlohmann/json.hpp>
#include <system_error>

#include "app/cli/options/checked_option.h"
#include "app/cli/program/program_report.h"
#include "app/cli/report/removed_barrier.h"
#include "app/cli/subcommands.h"
#include "app/cli/typed_numbers.h"
#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/analysis/values/value_check.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel {

namespace {

// A sentence about a wrong C; a longer text if a barrier was removed.
std::string wrong_text(const Trace& trace, bool searched) {
    if (trace.launch.removed_barrier != 0) return wrong_elements_text(trace, searched);
    const std::vector<WrongElement> wrong = wrong_elements_of(trace);
    const std::string judged = judged_part_text(trace, !wrong.empty());
    return (wrong.empty() ? "" : wrong_product_sentence(trace, wrong) + "\n") +
           (judged.empty() ? "" : judged + "\n");
}

}  // namespace

void TraceCommand::add_to(CLI::App& app) {
    app.add_option("KERNEL", kernel,
                   "What to record: a kernel ('tilereel kernels' lists them) or a CUDA file")
        ->required()
        ->type_name("KERNEL");
    add_file_option(app, "-o,--output", output, "Trace file to write (.npz; numpy.load opens it)")
        ->required();
    add_kernel_options(app, options);
    add_program_options(app, program);
    app.add_flag("--json", json, "Print JSON");
}

Result<std::string> TraceCommand::run() const {
    const auto kind = TRY(kind_of_subject(kernel, {FileKind::kProgram}, parts_of(program)));
    if (kind == FileKind::kProgram) {
        TRY(check_no_kernel_options(kernel, options));
        return trace_program(kernel, on_device(program, options.device), output, json);
    }
    TRY(check_no_program_options(kernel, program));
    const auto request = TRY(request_of(kernel, options));
    auto trace = TRY(record_as_asked(request));
    trace.unexplained_values = count_values(trace).unexplained;
    TRY(write_trace(trace, output));
    std::error_code ignored;
    const std::uintmax_t file_bytes = std::filesystem::file_size(output, ignored);
    if (json) {
        const Launch& launch = trace.launch;
        nlohmann::ordered_json summary = {{"kernel", launch.kernel},
                                          {"m", launch.m},
                                          {"n", launch.n},
                                          {"k", launch.k},
                                          {"tile", launch.tile},
                                          {"pad", launch.pad},
                                          {"recorded_by", trace.recorded_by.recorder},
                                          {"complete", trace.complete},
                                          {"file", output},
                                          {"file_bytes", file_bytes},
                                          {"records", trace.records.size()},
                                          {"accesses", access_count(trace)}};
        put_removed_barrier(summary, trace);
        put_wrong_elements(summary, trace);
        return json_text(summary, 1) + "\n";
    }
    return output + ": " + with_commas(access_count(trace)) + " accesses in " +
           with_commas(trace.records.size()) + " records, " + with_commas(file_bytes) + " bytes\n" +
           (trace.complete ? "" : "Incomplete: not all blocks fitted into the GPU's memory\n") +
           removed_barrier_text(trace) + wrong_text(trace, options.find_failing_order);
}

}  // namespace tilereel

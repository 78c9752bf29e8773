#include <nlohmann/json.hpp>

#include "app/cli/report/findings.h"
#include "app/cli/subcommands.h"
#include "app/cli/typed_numbers.h"
#include "app/ladder/kernel_of_trace.h"
#include "app/subject/file_kind.h"
#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/analysis/values/last_content.h"
#include "instrumentation/analysis/values/value_check.h"
#include "instrumentation/base/format/json_text.h"

namespace tilereel {
namespace {

// Checks that the columns agree with each other. read_trace() checks each column alone.
Status check_product(const Trace& trace) {
    TRY(check_values(trace));
    for (const MatrixRole each : {MatrixRole::kA, MatrixRole::kB, MatrixRole::kC})
        if (matrix_of(trace, each).empty()) return Done{};
    if (!trace.wrong_elements) return Done{};
    const std::uint64_t recorded = *trace.wrong_elements;
    const std::uint64_t found = compare_with_reference(trace).size();
    if (found == recorded) return Done{};
    return failed(with_commas(found) + " elements of its C are not " +
                  product_formula(*trace.product) + ", but " + with_commas(recorded) +
                  " were when it was recorded; A, B or C has changed");
}

// What a launch computes is not known, unless it is a product. But what it stored must be there,
// and the digest of a file shows whether it is as it was written.
Status check_contents(const Trace& trace) {
    TRY(check_product(trace));
    TRY(check_last_content(trace));
    if (trace.changed_file) return failed("it was changed after it was recorded; record it again");
    return Done{};
}

std::string judged_part(const Trace& trace) {
    const std::string text = judged_part_text(trace, trace.wrong_elements.value_or(0) != 0);
    return text.empty() ? text : text + "\n";
}

}  // namespace

void CheckCommand::add_to(CLI::App& app) {
    app.add_option("FILE", file, "The trace file")->required()->type_name("FILE");
    add_memory_limit_option(app, memory_limit_bytes);
    app.add_flag("--json", json, "Print JSON");
}

Result<std::string> CheckCommand::run() const {
    TRY(kind_of_file(file, "this command", {FileKind::kTrace}));
    TraceReadLimits limits;
    limits.memory_bytes = memory_limit_bytes.value_or(limits.memory_bytes);
    const Trace trace = TRY(open_trace(file, limits));
    if (const Status sound = check_contents(trace); !sound)
        return failed("'" + file + "' is not sound: " + sound.error().message);
    const RecordedBy& by = trace.recorded_by;
    if (json) {
        const nlohmann::ordered_json summary = {{"file", file},
                                                {"sound", true},
                                                {"complete", trace.complete},
                                                {"kernel", trace.launch.kernel},
                                                {"recorded_by", by.recorder},
                                                {"device", by.device},
                                                {"accesses_only", by.accesses_only},
                                                {"records", trace.records.size()},
                                                {"accesses", access_count(trace)},
                                                {"findings", trace.findings.size()}};
        return json_text(summary, 1) + "\n";
    }
    return file + ": sound: " + trace.launch.kernel + ", recorded by " +
           (!by.device.empty()            ? by.device
            : by.recorder == kCpuRecorder ? "g++ and the plugin"
            : by.recorder.empty()         ? "an unknown recorder"
                                          : "the " + by.recorder) +
           ", " + with_commas(access_count(trace)) + " accesses in " +
           with_commas(trace.records.size()) + " records\n" +
           (trace.complete ? "" : "Incomplete: the recording was cut off\n") + judged_part(trace) +
           (by.accesses_only ? missing_facts(by) + "\n" : "") + recorded_findings_text(trace);
}

}  // namespace tilereel

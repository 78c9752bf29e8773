#include <nlohmann/json.hpp>

#include "app/cli/findings.h"
#include "app/cli/numbers.h"
#include "app/cli/subcommands.h"
#include "instrumentation/trace/trace_file.h"

namespace tilereel {

void CheckCommand::add_to(CLI::App& app) {
    app.add_option("FILE", file, "The trace file")->required()->type_name("FILE");
    add_memory_limit_option(app, memory_limit_bytes);
    app.add_flag("--json", json, "Print JSON");
}

Result<std::string> CheckCommand::run() const {
    TraceReadLimits limits;
    limits.memory_bytes = memory_limit_bytes.value_or(limits.memory_bytes);
    const Result<Trace> trace = read_trace(file, limits);
    if (!trace) return trace.error();
    const RecordedBy& by = trace->recorded_by;
    if (json) {
        const nlohmann::ordered_json summary = {{"file", file},
                                                {"sound", true},
                                                {"complete", trace->complete},
                                                {"kernel", trace->launch.kernel},
                                                {"recorded_by", by.recorder},
                                                {"device", by.device},
                                                {"records", trace->records.size()},
                                                {"accesses", access_count(*trace)},
                                                {"findings", trace->findings.size()}};
        return summary.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
    return file + ": sound: " + trace->launch.kernel + ", recorded by " +
           (by.device.empty() ? "the " + by.recorder : by.device) + ", " +
           with_commas(access_count(*trace)) + " accesses in " +
           with_commas(trace->records.size()) + " records\n" +
           (trace->complete ? "" : "Incomplete: the recording was cut off\n") +
           recorded_findings_text(*trace);
}

}  // namespace tilereel

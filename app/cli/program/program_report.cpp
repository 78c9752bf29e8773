#include "app/cli/program/program_report.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/cli/interrupt.h"
#include "app/cli/options/options.h"
#include "app/cli/program/checked_run.h"
#include "app/cli/program/launch_lines.h"
#include "app/cli/program/launch_printer.h"
#include "app/cli/program/product_use.h"
#include "app/cli/program/program_json.h"
#include "app/cli/report/report.h"
#include "app/cli/subcommands.h"
#include "app/cli/typed_numbers.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/base/interruption.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;
using program::LaunchSummary;
using program::ProgramRun;

std::string host_call_line(const ProgramRun& run) {
    std::string names;
    for (const std::string& name : run.on_host) names += (names.empty() ? "" : ", ") + name;
    return names.empty() ? "" : "On the host, not recorded: " + names + "\n";
}

std::string end_text(const ProgramRun& run) {
    std::string text = host_call_line(run) + finding_lines(run.findings);
    if (!run.output.empty()) text += "\nOUTPUT\n" + run.output;
    if (!text.empty() && text.back() != '\n') text += '\n';
    if (run.output_cut) text += "(more output was cut off)\n";
    return text + run.end_sentence + "\n";
}

// The findings of a launch that its trace does not have.
std::vector<RecordedFinding> more_findings(const LaunchSummary& launch, const Trace& trace) {
    std::vector<RecordedFinding> more;
    for (const RecordedFinding& finding : launch.findings)
        if (std::ranges::find(trace.findings, finding.what, &RecordedFinding::what) ==
            trace.findings.end())
            more.push_back(finding);
    return more;
}

// Empty if the launch is not wanted or not recorded.
Result<std::string> launch_lines(const LaunchSummary& launch, const ProgramOptions& options,
                                 const Generation& generation, ProductUse& product) {
    if (!is_wanted(options, launch) || !launch.is_recorded) return std::string();
    const std::string head = launch_head(launch);
    if (launch.trace.empty()) return head + finding_lines(launch.findings) + "\n";
    if (is_interrupted_long())
        return head + "Recorded, but not counted: " + not_counted_text(launch) + "\n" +
               finding_lines(launch.findings) + "\n";
    const Trace trace = TRY(product.read(launch));
    return head + finding_lines(more_findings(launch, trace)) + report_text(trace, generation) +
           "\n";
}

// Of a run that was interrupted before anything was recorded.
ProgramRun empty_run(const Error& error) {
    ProgramRun run;
    run.end = program::ProgramEnd::kCancelled;
    run.end_sentence = error.message;
    return run;
}

Result<std::string> report_as_json(const std::string& file, const ProgramOptions& options,
                                   const Generation& generation) {
    const InterruptFlag interrupt;
    ProductUse product(options);
    ProgramJson json(options, generation, product);
    // Launches are counted while the program goes on, so that an interrupt need not wait for them.
    std::optional<LaunchPrinter> printer;
    if (!options.on_gpu)
        printer.emplace([&](const LaunchSummary& launch, bool is_rest) -> Result<std::string> {
            if (is_rest) return std::string();
            const Status counted = json.count(launch);
            return counted ? Result<std::string>(std::string()) : counted.error();
        });
    const Result<ProgramRun> run = run_checked(file, options, std::string(generation.id), interrupt,
                                               printer ? &*printer : nullptr);
    if (printer)
        if (const Status counted = printer->finish(); run && !counted) return counted.error();
    if (!run && run.error().kind == ErrorKind::kCancelled)
        return json.text(file, empty_run(run.error()));
    if (!run) return run.error();
    for (const LaunchSummary& launch : run->launches) TRY(json.count(launch));
    if (const Status used = product.check(); !used && !was_interrupted()) return used.error();
    return json.text(file, *run);
}

}  // namespace

Result<Trace> trace_of_launch(const std::string& file, const ProgramOptions& options,
                              const Generation& generation) {
    const InterruptFlag interrupt;
    const ProgramRun run = TRY(run_checked(file, options, std::string(generation.id), interrupt));
    ProductUse product(options);
    std::string reason = "the program launched no kernel that could be recorded";
    for (const LaunchSummary& launch : run.launches) {
        if (!is_wanted(options, launch)) continue;
        if (!launch.reason.empty()) reason = launch.reason;
        if (launch.trace.empty()) continue;
        Result<Trace> trace = product.read(launch);
        if (!trace || !options.product || product.used()) return trace;
    }
    TRY(product.check());
    return failed(reason);
}

Result<std::string> report_program(const std::string& file, const ProgramOptions& options,
                                   const Generation& generation, bool json) {
    if (json) return report_as_json(file, options, generation);
    const InterruptFlag interrupt;
    ProductUse product(options);
    std::string held;  // until a launch has the product of --product
    const auto describe = [&](const LaunchSummary& launch, bool is_rest) -> Result<std::string> {
        Result<std::string> lines = is_rest ? rest_lines(launch) + "\n"
                                            : launch_lines(launch, options, generation, product);
        if (!lines) return lines;
        held += *lines;
        return options.product && !product.used() ? std::string() : std::exchange(held, {});
    };
    // The traces of a GPU are made when the program has ended.
    std::optional<LaunchPrinter> printer;
    if (!options.on_gpu) printer.emplace(describe);
    const Result<ProgramRun> run = run_checked(file, options, std::string(generation.id), interrupt,
                                               printer ? &*printer : nullptr);
    if (printer)
        if (const Status printed = printer->finish(); run && !printed) return printed.error();
    if (!run) return run.error();
    std::string text;
    for (const LaunchSummary& launch : run->launches) {
        if (printer) break;
        const std::string lines = TRY(describe(launch, false));
        text += lines;
    }
    if (const Status used = product.check(); !used) {
        if (!was_interrupted()) return used.error();
        held += used.error().message + "\n";
    }
    return text + held + (options.launch ? std::string() : unrecorded_lines(run->launches)) +
           end_text(*run);
}

Result<std::string> trace_program(const std::string& file, const ProgramOptions& options,
                                  const std::string& output, bool json) {
    const InterruptFlag interrupt;
    const ProgramRun run =
        TRY(run_checked(file, options, std::string(default_generation().id), interrupt));
    std::size_t count = 0;
    for (const LaunchSummary& launch : run.launches)
        count += !launch.trace.empty() && is_wanted(options, launch);
    if (count == 0) return failed("the program launched no kernel that could be recorded");
    Json written = Json::array();
    std::string text;
    ProductUse product(options);
    for (const LaunchSummary& launch : run.launches) {
        if (launch.trace.empty() || !is_wanted(options, launch)) continue;
        std::filesystem::path path = output;
        if (count > 1)
            path.replace_filename(path.stem().string() + "_" + std::to_string(launch.number) +
                                  path.extension().string());
        // A recognised product is not stored: it is recognised again when the file is opened.
        const Trace trace = TRY(options.product ? product.read(launch) : read_trace(launch.trace));
        TRY(write_trace(trace, path));
        Json entry = launch_json(launch);
        entry["trace"] = path.string();
        written.push_back(entry);
        text += path.string() + ": " + launch.kernel + ", " + with_commas(launch.accesses) +
                " accesses\n";
    }
    TRY(product.check());
    return json ? json_text(written, 1) + "\n" : text;
}

void RunCommand::add_to(CLI::App& app) {
    app.add_option("FILE", file, "A CUDA file")->required()->type_name("FILE");
    add_program_options(app, program);
    app.remove_option(app.get_option("--product"));  // nothing shows the product
    add_generation_option(app, generation);
}

Result<std::string> RunCommand::run() const {
    TRY(kind_of_file(file, "this command", {FileKind::kProgram}, parts_of(program)));
    const InterruptFlag interrupt;
    const ProgramRun run = TRY(run_checked(file, program, std::string(generation->id), interrupt));
    std::string text = run.output;
    if (run.output_cut) text += "\n(more output was cut off)\n";
    for (const LaunchSummary& launch : run.launches) text += finding_lines(launch.findings);
    text += finding_lines(run.findings);
    if (run.exit_code != 0 || run.end != program::ProgramEnd::kExit)
        return failed(text.empty() ? run.end_sentence : text + run.end_sentence);
    return text;
}

}  // namespace tilereel

#include "app/cli/program/program_report.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/cli/interrupt.h"
#include "app/cli/options/options.h"
#include "app/cli/output.h"
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
    const Result<Trace> read = product.read(launch);
    if (!read && product.last_is_changed())
        return head + "Not recorded: " + kChangedTrace + ".\n" + finding_lines(launch.findings) +
               "\n";
    if (!read) return read.error();
    const Trace& trace = *read;
    return head + finding_lines(more_findings(launch, trace)) + report_text(trace, generation) +
           "\n";
}

// Prints a result, and fails with a sentence if nothing was recorded or a recording was changed.
Result<std::string> printed(const std::string& text, const ProgramRun& run,
                            const ProgramOptions& options, const ProductUse& product) {
    Status recorded = product.check_files();
    const auto is_there = [&](const LaunchSummary& launch) {
        return is_wanted(options, launch) && launch.is_recorded && !launch.trace.empty();
    };
    if (recorded && !was_interrupted() && std::ranges::none_of(run.launches, is_there))
        recorded = failed(run.launches.empty() ? "the program launched no kernel"
                                               : "no launch of the program was recorded");
    if (recorded) return text;
    TRY(print_out(text));
    return recorded.error();
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
    return printed(json.text(file, *run), *run, options, product);
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
        if (product.last_is_changed()) {
            reason = kChangedTrace;
            continue;
        }
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
    text +=
        held + (options.launch ? std::string() : unrecorded_lines(run->launches)) + end_text(*run);
    return printed(text, *run, options, product);
}

namespace {

// The file of one of several launches: "run_3.npz" for "run.npz".
std::filesystem::path numbered(const std::filesystem::path& path, std::uint32_t number) {
    return path.parent_path() /
           (path.stem().string() + "_" + std::to_string(number) + path.extension().string());
}

// Before the program runs: whether a file of this name can be written, and numbered.
Status check_output(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (!path.has_filename() || std::filesystem::is_directory(status))
        return failed("cannot write '" + path.string() + "': it is a folder; name a file in it");
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return failed("cannot write '" + path.string() + "': it is not a plain file; name another");
    return Done{};
}

}  // namespace

Result<std::string> trace_program(const std::string& file, const ProgramOptions& options,
                                  const std::string& output, bool json) {
    TRY(check_output(output));
    const InterruptFlag interrupt;
    const ProgramRun run =
        TRY(run_checked(file, options, std::string(default_generation().id), interrupt));
    std::vector<const LaunchSummary*> recorded;
    for (const LaunchSummary& launch : run.launches)
        if (!launch.trace.empty() && is_wanted(options, launch)) recorded.push_back(&launch);
    if (recorded.empty()) return failed("the program launched no kernel that could be recorded");
    Json written = Json::array();
    std::string text;
    ProductUse product(options);
    // Syncing each of many files takes longer than recording them.
    const FileSync sync = recorded.size() == 1 ? FileSync::kSynced : FileSync::kUnsynced;
    for (const LaunchSummary* const launch : recorded) {
        if (is_interrupted_long()) break;
        const std::filesystem::path path =
            recorded.size() == 1 ? std::filesystem::path(output) : numbered(output, launch->number);
        // A recognised product is not stored: it is recognised again when the file is opened.
        const Result<Trace> trace =
            options.product ? product.read(*launch) : product.read_as_recorded(*launch);
        if (!trace && product.last_is_changed()) continue;
        if (!trace) return trace.error();
        TRY(write_trace(*trace, path, Compression::kDeflate, sync));
        Json entry = launch_json(*launch);
        entry["trace"] = path.string();
        written.push_back(entry);
        text += path.string() + ": " + launch->kernel + ", " + with_commas(launch->accesses) +
                " accesses\n";
    }
    TRY(product.check());
    const std::string result = json ? json_text(written, 1) + "\n" : text;
    Status whole = product.check_files();
    if (whole && written.size() < recorded.size())
        whole = failed("interrupted; the traces of " + with_commas(written.size()) + " of " +
                       with_commas(recorded.size()) + " launches are written");
    if (whole) return result;
    TRY(print_out(result));
    return whole.error();
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
    const bool has_findings =
        !run.findings.empty() || std::ranges::any_of(run.launches, [](const LaunchSummary& launch) {
            return !launch.findings.empty();
        });
    if (has_findings && !text.empty() && text.back() != '\n') text += '\n';
    for (const LaunchSummary& launch : run.launches) text += finding_lines(launch.findings);
    text += finding_lines(run.findings);
    if (run.exit_code == 0 && run.end == program::ProgramEnd::kExit) return text;
    TRY(print_out(text));
    return failed(run.end_sentence);
}

}  // namespace tilereel

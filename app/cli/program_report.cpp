#include "app/cli/program_report.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/interrupt.h"
#include "app/cli/launch_lines.h"
#include "app/cli/launch_printer.h"
#include "app/cli/numbers.h"
#include "app/cli/options.h"
#include "app/cli/report.h"
#include "app/cli/subcommands.h"
#include "app/workbench/wrong_product.h"
#include "instrumentation/analysis/hazards.h"
#include "instrumentation/analysis/name_product.h"
#include "instrumentation/analysis/recognise_product.h"
#include "instrumentation/base/interruption.h"
#include "instrumentation/base/json_text.h"
#include "instrumentation/plain/program.h"
#include "instrumentation/trace/trace_file.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;
using plain::LaunchSummary;
using plain::ProgramRun;

Json extents(const Dim3& d) { return Json::array({d.x, d.y, d.z}); }

// A sentence with the compiler's first error.
Error compile_error(const ProgramRun& run) {
    const plain::CompileError& first = run.compile_errors.front();
    std::string text = first.line == 0
                           ? first.message
                           : first.file + ":" + std::to_string(first.line) +
                                 (first.column == 0 ? "" : ":" + std::to_string(first.column)) +
                                 ": " + first.message;
    const std::size_t more = run.compile_errors.size() - 1;
    if (more > 0) text += " (and " + std::to_string(more) + " more)";
    return failed("the program does not compile: " + text);
}

bool is_wanted(const ProgramOptions& options, const LaunchSummary& launch) {
    return !options.launch || static_cast<std::uint32_t>(*options.launch) == launch.number;
}

Result<ProgramRun> run_checked(const std::string& file, const ProgramOptions& options,
                               const std::string& generation, LaunchPrinter* printer = nullptr) {
    // An interrupt ends the compiler or the program. What has been recorded is kept.
    const InterruptFlag interrupt;
    plain::ProgramProgress progress;
    progress.stop = &interrupt.flag();
    if (printer != nullptr)
        progress.on_change = [printer](const plain::ProgramStage& stage) { printer->hear(stage); };
    Result<ProgramRun> run =
        plain::run_program(request_of_program(file, options, generation), &progress);
    if (was_interrupted() && (!run || run->launches.empty()))
        return Error{ErrorKind::kCancelled, "interrupted; nothing has been recorded"};
    if (!run) return run.error();
    if (!run->compile_errors.empty()) return compile_error(*run);
    // Launches that were not selected for recording are not listed.
    const bool any = std::ranges::any_of(
        run->launches, [&](const LaunchSummary& launch) { return is_wanted(options, launch); });
    if (options.launch && !any)
        return wrong_call("--launch " + std::to_string(*options.launch) +
                          ": the program did not come to that launch; the first one is 0");
    return run;
}

Json launch_json(const LaunchSummary& launch) {
    Json json = {{"number", launch.number},
                 {"kernel", launch.kernel},
                 {"file", launch.file},
                 {"line", launch.line},
                 {"grid", extents(launch.grid)},
                 {"block", extents(launch.block)},
                 {"shared_bytes", launch.shared_bytes},
                 {"blocks", launch.grid.count()},
                 {"recorded_blocks", launch.recorded_blocks},
                 {"accesses", launch.accesses},
                 {"findings", Json::array()}};
    for (const RecordedFinding& finding : launch.findings)
        json["findings"].push_back(sentence_of(finding));
    if (!launch.chosen_blocks.empty()) json["chosen_blocks"] = launch.chosen_blocks;
    if (launch.rest_blocks > 0) json["rest_seconds"] = launch.rest_seconds;
    if (launch.left_out_blocks > 0) {
        json["left_out_blocks"] = launch.left_out_blocks;
        json["left_out_seconds"] = launch.left_out_seconds;
    }
    if (!launch.cut_blocks.empty()) json["cut_blocks"] = launch.cut_blocks;
    if (launch.uses_textures) json["uses_textures"] = true;
    if (launch.uses_cub) json["uses_cub"] = true;
    if (!launch.reason.empty()) json["reason"] = launch.reason;
    return json;
}

Json program_json(const std::string& file, const ProgramRun& run) {
    Json findings = Json::array();
    for (const RecordedFinding& finding : run.findings)
        findings.push_back({{"message", sentence_of(finding)}, {"line", finding.line}});
    return {{"program", file},
            {"exit_code", run.exit_code},
            {"end", run.end_sentence},
            {"compile_seconds", run.compile_seconds},
            {"run_seconds", run.run_seconds},
            {"output", run.output},
            {"output_cut", run.output_cut},
            {"on_host", run.on_host},
            {"findings", findings}};
}

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

// Reads launches as products, and remembers whether any launch has the product of --product.
class ProductUse {
  public:
    explicit ProductUse(const ProgramOptions& options) : options_(options) {}

    // Reads a launch as the product of --product, if it has these arrays. Otherwise as the product
    // that was recognised.
    [[nodiscard]] Result<Trace> read(const LaunchSummary& launch) {
        Result<Trace> trace = read_trace(launch.trace);
        if (!trace) return trace;
        if (!options_.product || !has_arrays_of(*trace, *options_.product)) {
            if (options_.product && missing_.empty())
                missing_ = form_of(*trace, *options_.product).error().message;
            if (const auto product = recognise_product(*trace)) name_product(*trace, *product);
            count_wrong(*trace);
            return trace;
        }
        used_ = true;
        const Status shown = show_as(*trace, *options_.product);
        if (!shown) return Error{shown.error().kind, "--product: " + shown.error().message};
        count_wrong(*trace);
        return trace;
    }
    [[nodiscard]] bool used() const { return used_; }
    [[nodiscard]] Status check() const {
        if (!options_.product || used_ || missing_.empty()) return Done{};
        return wrong_call("--product: " + missing_);
    }

  private:
    // Counts once. Later code compares C again only if there are wrong elements.
    static void count_wrong(Trace& trace) {
        if (trace.product) trace.wrong_elements = wrong_elements_of(trace).size();
    }

    const ProgramOptions& options_;
    bool used_ = false;
    std::string missing_;
};

// The findings of a launch that its trace does not have.
std::vector<RecordedFinding> more_findings(const LaunchSummary& launch, const Trace& trace) {
    std::vector<RecordedFinding> more;
    for (const RecordedFinding& finding : launch.findings)
        if (std::ranges::find(trace.findings, finding.what, &RecordedFinding::what) ==
            trace.findings.end())
            more.push_back(finding);
    return more;
}

// Who interrupts does not wait for the counts of many launches.
bool is_interrupted_long() {
    using Clock = std::chrono::steady_clock;
    if (!was_interrupted()) return false;
    static const Clock::time_point noticed = Clock::now();
    return Clock::now() - noticed > std::chrono::seconds(2);
}

// Empty if the launch is not wanted or not recorded.
Result<std::string> launch_lines(const LaunchSummary& launch, const ProgramOptions& options,
                                 const Generation& generation, ProductUse& product) {
    if (!is_wanted(options, launch) || !launch.is_recorded) return std::string();
    const std::string head = launch_head(launch);
    if (launch.trace.empty()) return head + finding_lines(launch.findings) + "\n";
    if (is_interrupted_long())
        return head + "Recorded, but not counted: interrupted. --launch " +
               std::to_string(launch.number) + " counts it\n" + finding_lines(launch.findings) +
               "\n";
    const Result<Trace> trace = product.read(launch);
    if (!trace) return trace.error();
    return head + finding_lines(more_findings(launch, *trace)) + report_text(*trace, generation) +
           "\n";
}

Result<std::string> report_of_run(const std::string& file, const ProgramRun& run,
                                  const ProgramOptions& options, const Generation& generation,
                                  ProductUse& product) {
    Json report = program_json(file, run);
    report["launches"] = Json::array();
    for (const LaunchSummary& launch : run.launches) {
        if (!is_wanted(options, launch)) continue;
        Json entry = launch_json(launch);
        if (launch.is_recorded && !launch.trace.empty()) {
            const Result<Trace> trace = product.read(launch);
            if (!trace) return trace.error();
            entry["report"] = report_object(*trace, generation);
        }
        report["launches"].push_back(std::move(entry));
    }
    if (const Status used = product.check(); !used) return used.error();
    return json_text(report, 1) + "\n";
}

}  // namespace

Result<Trace> trace_of_launch(const std::string& file, const ProgramOptions& options,
                              const Generation& generation) {
    const Result<ProgramRun> run = run_checked(file, options, std::string(generation.id));
    if (!run) return run.error();
    ProductUse product(options);
    std::string reason = "the program launched no kernel that could be recorded";
    for (const LaunchSummary& launch : run->launches) {
        if (!is_wanted(options, launch)) continue;
        if (!launch.reason.empty()) reason = launch.reason;
        if (launch.trace.empty()) continue;
        Result<Trace> trace = product.read(launch);
        if (!trace || !options.product || product.used()) return trace;
    }
    if (const Status used = product.check(); !used) return used.error();
    return failed(reason);
}

Result<std::string> report_program(const std::string& file, const ProgramOptions& options,
                                   const Generation& generation, bool json) {
    ProductUse product(options);
    const auto describe = [&](const LaunchSummary& launch) {
        return launch_lines(launch, options, generation, product);
    };
    // What --product says is known to be right when all launches have been read. The traces of a
    // GPU are made when the program has ended.
    std::optional<LaunchPrinter> printer;
    if (!json && !options.product && !options.on_gpu) printer.emplace(describe);
    const Result<ProgramRun> run =
        run_checked(file, options, std::string(generation.id), printer ? &*printer : nullptr);
    if (printer)
        if (const Status printed = printer->finish(); run && !printed) return printed.error();
    if (!run) return run.error();
    if (json) return report_of_run(file, *run, options, generation, product);
    std::string text;
    for (const LaunchSummary& launch : run->launches) {
        if (printer) break;
        const Result<std::string> lines = describe(launch);
        if (!lines) return lines.error();
        text += *lines + rest_lines(launch);
    }
    if (const Status used = product.check(); !used) return used.error();
    return text + (options.launch ? std::string() : unrecorded_lines(run->launches)) +
           end_text(*run);
}

Result<std::string> trace_program(const std::string& file, const ProgramOptions& options,
                                  const std::string& output, bool json) {
    const Result<ProgramRun> run = run_checked(file, options, std::string(default_generation().id));
    if (!run) return run.error();
    std::size_t count = 0;
    for (const LaunchSummary& launch : run->launches)
        count += !launch.trace.empty() && is_wanted(options, launch);
    if (count == 0) return failed("the program launched no kernel that could be recorded");
    Json written = Json::array();
    std::string text;
    ProductUse product(options);
    for (const LaunchSummary& launch : run->launches) {
        if (launch.trace.empty() || !is_wanted(options, launch)) continue;
        std::filesystem::path path = output;
        if (count > 1)
            path.replace_filename(path.stem().string() + "_" + std::to_string(launch.number) +
                                  path.extension().string());
        // A recognised product is not stored: it is recognised again when the file is opened.
        const Result<Trace> trace =
            options.product ? product.read(launch) : read_trace(launch.trace);
        if (!trace) return trace.error();
        if (const Status saved = write_trace(*trace, path); !saved) return saved.error();
        Json entry = launch_json(launch);
        entry["trace"] = path.string();
        written.push_back(entry);
        text += path.string() + ": " + launch.kernel + ", " + with_commas(launch.accesses) +
                " accesses\n";
    }
    if (const Status used = product.check(); !used) return used.error();
    return json ? json_text(written, 1) + "\n" : text;
}

void RunCommand::add_to(CLI::App& app) {
    app.add_option("FILE", file, "A CUDA file")->required()->type_name("FILE");
    add_program_options(app, program);
    app.remove_option(app.get_option("--product"));  // nothing shows the product
    add_generation_option(app, generation);
}

Result<std::string> RunCommand::run() const {
    const Result<ProgramRun> run = run_checked(file, program, std::string(generation->id));
    if (!run) return run.error();
    std::string text = run->output;
    for (const LaunchSummary& launch : run->launches) text += finding_lines(launch.findings);
    text += finding_lines(run->findings);
    if (run->exit_code != 0 || run->end != plain::ProgramEnd::kExit)
        return failed(text.empty() ? run->end_sentence : text + run->end_sentence);
    return text;
}

}  // namespace tilereel

#include "app/cli/program_report.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/interrupt.h"
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

std::string extents_text(const Dim3& d) {
    return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

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
                               const std::string& generation) {
    // An interrupt ends the compiler or the program. What has been recorded is kept.
    const InterruptFlag interrupt;
    plain::ProgramProgress progress;
    progress.stop = &interrupt.flag();
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

std::string findings_text(const std::vector<RecordedFinding>& findings) {
    std::string text;
    for (const RecordedFinding& finding : findings)
        text += "FINDING: " + sentence_of(finding) + "\n";
    return text;
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
    if (launch.left_out_blocks > 0) {
        json["left_out_blocks"] = launch.left_out_blocks;
        json["left_out_seconds"] = launch.left_out_seconds;
    }
    if (!launch.cut_blocks.empty()) json["cut_blocks"] = launch.cut_blocks;
    if (launch.uses_textures) json["uses_textures"] = true;
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
            {"findings", findings}};
}

std::string launch_head(const LaunchSummary& launch) {
    std::string text = "LAUNCH " + std::to_string(launch.number) + ": " + launch.kernel + ", " +
                       std::filesystem::path(launch.file).filename().string() + " line " +
                       std::to_string(launch.line) + ", grid " + extents_text(launch.grid) +
                       ", block " + extents_text(launch.block) + "\n";
    if (!launch.reason.empty()) return text + "Not recorded: " + launch.reason + "\n";
    if (!launch.chosen_blocks.empty())
        text += "Recorded: " + with_commas(launch.recorded_blocks) + " of " +
                with_commas(launch.grid.count()) + " blocks\n";
    if (launch.uses_textures)
        text +=
            "Textures: accesses through the texture cache are not recorded; their sectors are "
            "not counted\n";
    if (launch.left_out_blocks > 0)
        text += "Left out: " + with_commas(launch.left_out_blocks) + " blocks, which need about " +
                with_commas(launch.left_out_seconds) +
                " seconds. What the program computes is therefore not complete, and its own check "
                "can fail; --all-blocks runs them\n";
    if (!launch.cut_blocks.empty())
        text += "Cut off: " + std::to_string(launch.cut_blocks.size()) +
                (launch.cut_blocks.size() == 1 ? " block is" : " blocks are") +
                " longer than the budget of accesses and recorded up to it (block " +
                std::to_string(launch.cut_blocks.front()) +
                "); the rest ran without being recorded. --accesses raises the budget\n";
    return text;
}

// The launches that the budget left out, by kernel and line.
std::string unrecorded_text(const std::vector<LaunchSummary>& launches) {
    struct Group {
        std::uint64_t count = 0;
        std::uint32_t first = 0, last = 0;
    };
    std::map<std::string, Group> groups;
    for (const LaunchSummary& launch : launches) {
        if (launch.is_recorded) continue;
        Group& group =
            groups[launch.kernel + ", " + std::filesystem::path(launch.file).filename().string() +
                   " line " + std::to_string(launch.line)];
        if (group.count++ == 0) group.first = launch.number;
        group.last = launch.number;
    }
    if (groups.empty()) return {};
    std::string text =
        "NOT RECORDED: the budget of accesses is used up; --launch N records launch N\n";
    for (const auto& [place, group] : groups)
        text += with_commas(group.count) + (group.count == 1 ? " launch of " : " launches of ") +
                place + ": " + std::to_string(group.first) +
                (group.count == 1 ? std::string() : " to " + std::to_string(group.last)) + "\n";
    return text + "\n";
}

std::string end_text(const ProgramRun& run) {
    std::string text = findings_text(run.findings);
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
    const Result<ProgramRun> run = run_checked(file, options, std::string(generation.id));
    if (!run) return run.error();
    Json report = program_json(file, *run);
    report["launches"] = Json::array();
    std::string text;
    ProductUse product(options);
    for (const LaunchSummary& launch : run->launches) {
        if (!is_wanted(options, launch)) continue;
        Json entry = launch_json(launch);
        if (!launch.is_recorded) {
            report["launches"].push_back(std::move(entry));
            continue;
        }
        text += launch_head(launch);
        text += findings_text(launch.findings);
        if (!launch.trace.empty()) {
            const Result<Trace> trace = product.read(launch);
            if (!trace) return trace.error();
            if (json)
                entry["report"] = report_object(*trace, generation);
            else
                text += report_text(*trace, generation);
        }
        report["launches"].push_back(std::move(entry));
        text += "\n";
    }
    if (const Status used = product.check(); !used) return used.error();
    if (json) return json_text(report, 1) + "\n";
    return text + (options.launch ? std::string() : unrecorded_text(run->launches)) +
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
    for (const LaunchSummary& launch : run->launches) text += findings_text(launch.findings);
    text += findings_text(run->findings);
    if (run->exit_code != 0 || run->end != plain::ProgramEnd::kExit)
        return failed(text.empty() ? run->end_sentence : text + run->end_sentence);
    return text;
}

}  // namespace tilereel

#include "instrumentation/plain/program.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "instrumentation/base/json_text.h"
#include "instrumentation/base/temporary_folder.h"
#include "instrumentation/plain/compile.h"
#include "instrumentation/plain/gpu/gpu_run.h"
#include "instrumentation/plain/gpu/nvcc_build.h"
#include "instrumentation/plain/process.h"

namespace tilereel::plain {
namespace {

using Json = nlohmann::json;

Dim3 extents(const Json& list) {
    return {list.at(0).get<std::uint32_t>(), list.at(1).get<std::uint32_t>(),
            list.at(2).get<std::uint32_t>()};
}

RecordedFindingKind kind_of(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(kLastRecordedFindingKind); ++i) {
        const auto kind = static_cast<RecordedFindingKind>(i);
        if (finding_name(kind) == name) return kind;
    }
    return RecordedFindingKind::kOther;
}

// A regular file of this user, with one name, and no link.
bool is_own_file(const std::filesystem::path& path) {
    struct stat status {};
    return lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == geteuid() && status.st_nlink == 1;
}

// Reads the messages of the program and keeps them in its ProgramRun and ProgramProgress.
class Listener {
  public:
    Listener(const ProgramRequest& request, ProgramRun& run, ProgramProgress* progress)
        : request_(request), run_(run), progress_(progress) {}

    // Why the recorder could not go on; empty: it could.
    [[nodiscard]] const std::string& recorder_failure() const { return recorder_failure_; }

    // The program ended after this launch, because ProgramRequest::launch asks for it.
    [[nodiscard]] std::optional<std::uint32_t> stopped_after() const { return stopped_after_; }

    void hear(const std::string& line) {
        const Json message = read_json(line);
        if (message.is_discarded()) return;
        try {
            take(message);
        } catch (const Json::exception&) {
            // The message lacks a key: the program ended while it wrote it.
        }
    }

  private:
    void take(const Json& message) {
        const std::string kind = message.at("kind");
        if (kind == "piece" && request_.on_piece)
            request_.on_piece();
        else if (kind == "start")
            tell([&](ProgramStage& stage) {
                stage.launch = message.at("number");
                stage.share = 0;
            });
        else if (kind == "progress")
            tell([&](ProgramStage& stage) {
                stage.share = message.at("done").get<double>() / message.at("of").get<double>();
            });
        else if (kind == "left_out")
            note_left_out(message);
        else if (kind == "stopped")
            stopped_after_ = message.at("launch");
        else if (kind == "recorder_failed")
            recorder_failure_ = message.at("why");
        else if (kind == "launch")
            add_launch(message);
        else if (kind == "launch_finding")
            add_finding_of_launch(message);
        else if (kind == "finding")
            add_finding(message);
    }
    template <class Change>
    void tell(Change&& change) {
        if (progress_ != nullptr) progress_->change(change);
    }
    static RecordedFinding finding_of(const Json& message, const char* kind,
                                      const std::string& what) {
        RecordedFinding finding;
        finding.kind = kind_of(message.value(kind, ""));
        finding.error =
            finding.kind != RecordedFindingKind::kNotFreed && message.value("error", 1) != 0;
        finding.line = message.value("line", 0u);
        finding.what = what;
        finding.advice = message.value("advice", "");
        return finding;
    }
    // A trace is a regular file directly in the run's folder. The program could name any other
    // file.
    [[nodiscard]] std::filesystem::path own_trace(const std::filesystem::path& named) const {
        if (named.empty() || run_.folder == nullptr) return {};
        const std::filesystem::path path = *run_.folder / named.filename();
        return named == path && is_own_file(path) ? path : std::filesystem::path();
    }
    void add_launch(const Json& message) {
        LaunchSummary launch;
        launch.number = message.at("number");
        launch.kernel = message.at("kernel");
        launch.file = message.at("file");
        launch.line = message.at("line");
        launch.grid = extents(message.at("grid"));
        launch.block = extents(message.at("block"));
        launch.shared_bytes = message.at("shared");
        launch.recorded_blocks = message.value("recorded", std::uint64_t{0});
        launch.unhooked_blocks = message.value("unhooked", std::uint64_t{0});
        launch.accesses = message.value("accesses", std::uint64_t{0});
        launch.trace = own_trace(message.value("trace", ""));
        launch.is_handed_over = message.value("handed_over", 0) != 0;
        launch.reason = message.value("reason", "");
        launch.called_from = message.value("called_from", std::uint64_t{0});
        launch.is_whole = message.value("whole", 1) != 0;
        const auto numbers = [&](const char* name) {
            return message.value(name, std::vector<std::uint32_t>());
        };
        launch.chosen_blocks = numbers("chosen");
        launch.cut_blocks = numbers("cut");
        launch.uses_textures = message.value("textures", 0) != 0;
        launch.is_recorded = message.value("unrecorded", 0) == 0;
        if (!launch.is_recorded)
            launch.reason = request_.launch
                                ? "only launch " + std::to_string(*request_.launch) + " is recorded"
                                : "the budget of accesses is used up; record it with --launch " +
                                      std::to_string(launch.number);
        launch.sums = numbers("sums");
        launch.barriers = numbers("barriers");
        if (message.contains("reason_kind"))
            launch.findings.push_back(finding_of(message, "reason_kind", launch.reason));
        run_.launches.push_back(launch);
        tell([&](ProgramStage& stage) { stage.launches.push_back(std::move(launch)); });
    }
    void add_finding_of_launch(const Json& message) {
        const std::uint32_t number = message.at("number");
        const RecordedFinding finding = finding_of(message, "what_kind", message.at("what"));
        // It is nearly always the last launch.
        const auto add_to = [&](std::vector<LaunchSummary>& launches) {
            const auto found =
                std::find_if(launches.rbegin(), launches.rend(),
                             [&](const LaunchSummary& launch) { return launch.number == number; });
            if (found != launches.rend()) found->findings.push_back(finding);
        };
        add_to(run_.launches);
        tell([&](ProgramStage& stage) { add_to(stage.launches); });
    }
    void note_left_out(const Json& message) {
        for (LaunchSummary& launch : run_.launches) {
            if (launch.number != message.at("number").get<std::uint32_t>()) continue;
            launch.left_out_blocks = message.at("blocks");
            launch.left_out_seconds = message.at("seconds");
        }
    }
    void add_finding(const Json& message) {
        run_.findings.push_back(finding_of(message, "what_kind", message.at("what")));
    }

    const ProgramRequest& request_;
    ProgramRun& run_;
    ProgramProgress* progress_;
    std::string recorder_failure_;
    std::optional<std::uint32_t> stopped_after_;
};

std::string joined(const std::vector<std::uint32_t>& numbers) {
    std::string text;
    for (const std::uint32_t number : numbers)
        text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

// "3:17,3:18": launch and block.
std::string joined(const std::vector<LaunchBlock>& blocks) {
    std::string text;
    for (const LaunchBlock& each : blocks)
        text += (text.empty() ? "" : ",") + std::to_string(each.launch) + ":" +
                std::to_string(each.block);
    return text;
}

// The runtime reserves addresses for the GPU's memory, which cost nothing until they are used.
constexpr std::uint64_t kReservedBytes = std::uint64_t{128} << 30;

ProcessRequest process_of(const ProgramRequest& request, const BuiltProgram& built,
                          ProgramProgress* progress) {
    const std::filesystem::path& folder = *built.folder;
    ProcessRequest process;
    process.command = {built.program.string()};
    process.command.insert(process.command.end(), request.arguments.begin(),
                           request.arguments.end());
    process.folder = std::filesystem::absolute(request.file).parent_path();
    process.variables = {
        {"TILEREEL_PLAIN_PIPE", std::to_string(kMessagePipe)},
        {"TILEREEL_PLAIN_FOLDER", folder.string()},
        {"TILEREEL_PLAIN_GENERATION", request.generation},
        {"TILEREEL_PLAIN_LAUNCH", request.launch ? std::to_string(*request.launch) : "-1"},
        {"TILEREEL_PLAIN_BLOCKS", joined(request.blocks)},
        {"TILEREEL_PLAIN_MORE_BLOCKS", joined(request.more_blocks)},
        {"TILEREEL_PLAIN_ACCESSES_A_LAUNCH", std::to_string(request.limits.accesses_a_launch)},
        {"TILEREEL_PLAIN_ACCESSES", std::to_string(request.limits.accesses)},
        {"TILEREEL_PLAIN_ACCESSES_ONLY", built.accesses_only ? "1" : "0"},
        {"TILEREEL_PLAIN_ALL_BLOCKS", request.all_blocks ? "1" : "0"},
        {"TILEREEL_PLAIN_ASSIGNMENTS", request.keeps_assignments ? "1" : "0"},
        {"TILEREEL_PLAIN_INDEPENDENT_BLOCKS", request.independent_blocks ? "1" : "0"},
        {"TILEREEL_PLAIN_INTERVAL", std::to_string(request.accumulator_interval)},
        {"TILEREEL_PLAIN_MEMORY_FILE", std::to_string(request.memory_file < 0 ? -1 : kMemoryFile)}};
    if (request.workers != 0)  // else the user may have set it
        process.variables.emplace_back("TILEREEL_PLAIN_WORKERS", std::to_string(request.workers));
    if (!built.compiler.empty())  // else the program names its compiler itself
        process.variables.emplace_back("TILEREEL_PLAIN_COMPILER", built.compiler);
    process.file_bytes = request.limits.file_bytes;
    process.memory_file = request.memory_file;
    if (request.memory_file < 0) process.mark = "TILEREEL_PLAIN_FOLDER=" + folder.string();
    process.output_bytes = request.limits.output_bytes;
    process.seconds = request.limits.seconds;
    // On a GPU there is no such limit: CUDA's driver reserves as many addresses as all GPUs and the
    // host have memory.
    if (built.gpu == nullptr) process.address_bytes = kReservedBytes + request.limits.memory_bytes;
    process.confined = built.gpu == nullptr && request.memory_file < 0;
    process.cancel = progress != nullptr ? progress->stop : nullptr;
    return process;
}

std::string seconds_text(double seconds) {
    std::string text = std::to_string(seconds);
    text.erase(text.find('.') + 2);
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

void tell_end(const ProgramRequest& request, const ProcessResult& ended, ProgramRun& run) {
    run.exit_code = ended.code;
    switch (ended.end) {
        case ProcessEnd::kExit:
            run.end = ProgramEnd::kExit;
            run.end_sentence = ended.code == 0 ? "The program ended."
                                               : "The program ended with exit code " +
                                                     std::to_string(ended.code) + ".";
            break;
        case ProcessEnd::kSignal:
            run.end = ProgramEnd::kSignal;
            run.end_sentence = std::string("The program crashed: ") + strsignal(ended.code) + ".";
            break;
        case ProcessEnd::kTimeLimit:
            run.end = ProgramEnd::kTimeLimit;
            run.end_sentence =
                "The program was stopped after " +
                seconds_text(std::max(request.limits.seconds, std::floor(ended.stopped_after))) +
                " seconds; raise the limit with --seconds if it needs longer.";
            break;
        case ProcessEnd::kMessages:
            run.end = ProgramEnd::kMemoryLimit;
            run.end_sentence =
                "The program was stopped: its recorder's messages have more than 256 MiB; record "
                "one launch with --launch N.";
            break;
        case ProcessEnd::kCancelled:
            run.end = ProgramEnd::kCancelled;
            run.end_sentence = "Cancelled.";
            break;
    }
}

Result<BuiltProgram> build_for_gpu(const ProgramRequest& request,
                                   const std::shared_ptr<const std::filesystem::path>& folder,
                                   const std::atomic<bool>* cancel) {
    if (!request.launch_lines.empty())
        return wrong_call("--call launches a kernel on the CPU; leave out --device gpu");
    const Result<std::string> architecture =
        request.gpu_architecture.empty() ? gpu_architecture() : request.gpu_architecture;
    if (!architecture) return architecture.error();
    const Result<GpuToolchain> tools = prepare_gpu_toolchain(*architecture);
    if (!tools) return tools.error();
    Result<GpuProgram> built = build_gpu_program(request, *tools, *folder, cancel);
    if (!built) return built.error();
    return BuiltProgram{.folder = folder,
                        .program = built->program,
                        .compiler = "nvcc " + tools->version,
                        .accesses_only = true,
                        .gpu = built->facts,
                        .errors = std::move(built.value().errors),
                        .compiler_output = std::move(built.value().compiler_output)};
}

}  // namespace

Result<std::shared_ptr<const std::filesystem::path>> temporary_folder() {
    Result<TemporaryFolder> made = TemporaryFolder::make();
    if (!made) return made.error();
    const auto kept = std::make_shared<TemporaryFolder>(*std::move(made));
    return std::shared_ptr<const std::filesystem::path>(kept, &kept->path());
}

bool can_record_on_gpu() { return !find_nvcc().empty() && gpu_architecture(); }

Result<BuiltProgram> build_program(const ProgramRequest& request, ProgramProgress* progress) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(request.file, error))
        return wrong_call("there is no file " + request.file.string());
    for (const std::filesystem::path& file : request.more_files)
        if (!std::filesystem::is_regular_file(file, error))
            return wrong_call("there is no file " + file.string());
    const Result<std::shared_ptr<const std::filesystem::path>> folder = temporary_folder();
    if (!folder) return folder.error();
    if (request.on_gpu)
        return build_for_gpu(request, *folder, progress != nullptr ? progress->stop : nullptr);
    const Result<Toolchain> tools = prepare_toolchain(request.standard);
    if (!tools) return tools.error();
    Result<Compiled> compiled =
        compile_program(request, *tools, **folder, progress != nullptr ? progress->stop : nullptr);
    if (!compiled) return compiled.error();
    return BuiltProgram{.folder = *folder,
                        .program = compiled->program,
                        .compiler = "g++ " + tools->version,
                        .accesses_only = !tools->has_plugin,
                        .gpu = nullptr,
                        .errors = std::move(compiled.value().errors),
                        .compiler_output = std::move(compiled.value().compiler_output)};
}

Result<ProgramRun> run_built(const BuiltProgram& built, const ProgramRequest& request,
                             ProgramProgress* progress) {
    ProgramRun run;
    run.folder = built.folder;
    run.compile_errors = built.errors;
    if (built.program.empty()) {
        run.output = built.compiler_output.substr(0, request.limits.output_bytes);
        run.exit_code = 1;
        run.end_sentence = "The program does not compile.";
        return run;
    }
    if (progress != nullptr)
        progress->change([](ProgramStage& stage) { stage.kind = ProgramStage::Kind::kRunning; });
    Listener listener(request, run, progress);
    ProcessRequest process = process_of(request, built, progress);
    process.on_message = [&](const std::string& line) { listener.hear(line); };
    const Result<ProcessResult> ended = run_process(process);
    if (!ended) return ended.error();
    // Nothing of the program runs any more, so nobody can replace a file that is sound now.
    for (LaunchSummary& launch : run.launches)
        if (!launch.trace.empty() && !is_own_file(launch.trace)) {
            launch.trace.clear();
            launch.reason = "the program has replaced the file of its trace";
        }
    if (!listener.recorder_failure().empty())
        return failed("the recorder failed: " + listener.recorder_failure());
    // Where the program has closed the pipe for messages, the runtime says it here.
    if (ended->code == 121 && ended->output.ends_with("\"its messages do not reach Tilereel\"}\n"))
        return failed(
            "the recorder failed: its messages do not reach Tilereel; the program must not close "
            "descriptors that it did not open");
    run.output = ended->output;
    run.output_cut = ended->output_cut;
    run.run_seconds = ended->seconds;
    tell_end(request, *ended, run);
    if (run.end == ProgramEnd::kExit && listener.stopped_after())
        run.end_sentence = "The program was stopped after launch " +
                           std::to_string(*listener.stopped_after()) + ", as --launch asks.";
    if (built.gpu != nullptr) finish_gpu_run(request, built.program, *built.gpu, run);
    return run;
}

Result<ProgramRun> run_program(const ProgramRequest& request, ProgramProgress* progress) {
    const auto begin = std::chrono::steady_clock::now();
    const Result<BuiltProgram> built = build_program(request, progress);
    if (!built) return built.error();
    const std::chrono::duration<double> compiling = std::chrono::steady_clock::now() - begin;
    Result<ProgramRun> run = run_built(*built, request, progress);
    if (run) run.value().compile_seconds = compiling.count();
    return run;
}

}  // namespace tilereel::plain

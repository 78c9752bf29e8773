#include "instrumentation/program/program.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "instrumentation/base/files/temporary_folder.h"
#include "instrumentation/contract/messages.h"
#include "instrumentation/contract/record_options.h"
#include "instrumentation/program/build/compile.h"
#include "instrumentation/program/build_object.h"
#include "instrumentation/program/gpu/gpu_run.h"
#include "instrumentation/program/gpu/nvcc_build.h"
#include "instrumentation/program/process.h"
#include "instrumentation/program/program_messages.h"
#include "instrumentation/program/stranger.h"
#include "instrumentation/trace/launch_end.h"

namespace tilereel::program {
namespace {

// So begins the reason of the recorder's failure if the program is the reason.
constexpr std::string_view kOfProgram = "the program ";

// The runtime reserves addresses for the GPU's memory, which cost nothing until they are used.
constexpr std::uint64_t kReservedBytes = std::uint64_t{128} << 30;

// Folders on the disks that a program is most likely to fill.
std::vector<std::filesystem::path> disks_of(const std::filesystem::path& run,
                                            const std::filesystem::path& program) {
    std::vector<std::filesystem::path> folders = {run, program, "/dev/shm"};
    if (const char* const home = std::getenv("HOME")) folders.emplace_back(home);
    return folders;
}

// CPU threads that run blocks; 0: one a core. The user may set it.
unsigned workers_of(const ProgramRequest& request) {
    const char* const asked = std::getenv("TILEREEL_RECORD_WORKERS");
    if (request.workers != 0 || asked == nullptr) return request.workers;
    return static_cast<unsigned>(std::clamp(std::atoi(asked), 0, 1024));
}

// With huge pages (glibc's manual, "Memory Allocation Tunables"), a program fills its large arrays
// in half of the time: the page faults of 4 KiB cost more than the values. Older C libraries ignore
// the name. What the user has chosen stays.
std::string tunables_of_the_c_library() {
    const char* const own = std::getenv("GLIBC_TUNABLES");
    const std::string chosen = own != nullptr ? own : "";
    if (chosen.find("glibc.malloc.hugetlb") != std::string::npos) return chosen;
    return chosen + (chosen.empty() ? "" : ":") + "glibc.malloc.hugetlb=1";
}

contract::Options options_of(const ProgramRequest& request, const BuiltProgram& built) {
    return {.folder = built.folder->string(),
            .pipe = contract::kMessagePipe,
            .memory_file = request.memory_file < 0 ? -1 : contract::kMemoryFile,
            .generation = request.generation,
            .compiler = built.compiler,
            .launch = request.launch ? std::int64_t{*request.launch} : -1,
            .blocks = request.blocks,
            .more_blocks = request.more_blocks,
            .accesses_a_launch = request.limits.accesses_a_launch,
            .accesses_of_sample = request.limits.accesses_of_sample,
            .accesses = request.limits.accesses,
            .independent_blocks = request.independent_blocks,
            .other_blocks = request.runs_other_blocks,
            .all_blocks = request.all_blocks,
            .assignments = request.keeps_assignments,
            .contents = request.keeps_contents,
            .interval = request.accumulator_interval,
            .workers = workers_of(request)};
}

ProcessRequest process_of(const ProgramRequest& request, const BuiltProgram& built,
                          ProgramProgress* progress) {
    const std::filesystem::path& folder = *built.folder;
    const contract::Options options = options_of(request, built);
    ProcessRequest process;
    process.command = {built.program.string()};
    process.command.insert(process.command.end(), request.arguments.begin(),
                           request.arguments.end());
    process.folder = std::filesystem::absolute(request.file).parent_path();
    process.variables = {{contract::kVariable, contract::text_of(options)},
                         {"GLIBC_TUNABLES", tunables_of_the_c_library()}};
    process.file_bytes = request.limits.file_bytes;
    process.memory_file = request.memory_file;
    if (request.memory_file < 0)
        process.mark = std::string(contract::kVariable) + "=" + contract::begin_of(options);
    process.output_bytes = request.limits.output_bytes;
    process.seconds = request.limits.seconds;
    process.whole_seconds = request.limits.whole_seconds;
    // On a GPU there is no such limit: CUDA's driver reserves as many addresses as all GPUs and the
    // host have memory.
    if (built.gpu == nullptr) process.address_bytes = kReservedBytes + request.limits.memory_bytes;
    process.confined = built.gpu == nullptr && request.memory_file < 0;
    if (process.confined)
        process.together = {.processes = request.limits.processes,
                            .memory_bytes = request.limits.memory_bytes,
                            .written_bytes = request.limits.file_bytes,
                            .on_disks = disks_of(folder, process.folder),
                            .folder = folder};
    if (request.in_sandbox)
        process.sandbox = Sandbox{.readable = readable_of(request), .writable = {folder}};
    process.cancel = progress != nullptr ? progress->stop : nullptr;
    process.interrupt = progress != nullptr ? &progress->interrupt : nullptr;
    return process;
}

std::string seconds_text(double seconds) {
    std::string text = std::to_string(seconds);
    text.erase(text.find('.') + 2);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text + (text == "1" ? " second" : " seconds");
}

void tell_end(const ProgramRequest& request, const ProcessResult& ended, ProgramRun& run) {
    run.exit_code = ended.code;
    switch (ended.end) {
        case ProcessEnd::kExit:
            run.end = ProgramEnd::kExit;
            if (ended.code != 0)
                run.end_sentence =
                    "The program ended with exit code " + std::to_string(ended.code) + ".";
            else if (const std::string failed = launch_error_text(run); !failed.empty())
                run.end_sentence = "The program ended, but " + failed + ".";
            else
                run.end_sentence = "The program ended.";
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
                "; raise the limit with --seconds if it needs longer.";
            break;
        case ProcessEnd::kMessages:
            run.end = ProgramEnd::kLimit;
            run.end_sentence =
                "The program was stopped: its recorder's messages have more than 256 MiB; record "
                "one launch with --launch N.";
            break;
        case ProcessEnd::kLimit:
            run.end = ProgramEnd::kLimit;
            run.end_sentence = "The program was stopped: " + ended.limit + ".";
            break;
        case ProcessEnd::kCancelled:
            run.end = ProgramEnd::kCancelled;
            // Where it was says nothing about the program.
            std::erase_if(run.findings, [](const RecordedFinding& finding) {
                return finding.kind == RecordedFindingKind::kEndlessLoop;
            });
            run.end_sentence = "Cancelled.";
            break;
    }
}

// Why messages of the recorder can be missing, and what to do; empty: none is.
std::string lost_messages(const ProgramRequest& request, const BuiltProgram& built,
                          const ProcessResult& ended, const ProgramMessages& messages) {
    constexpr int kNotLoaded = 127;  // without a shared library, which the output names
    const bool says_end =
        built.gpu == nullptr && request.memory_file < 0 && ended.code != kNotLoaded;
    const bool without_end =
        says_end && ended.end == ProcessEnd::kExit && !messages.has_ended(ended.process);
    if ((ended.end == ProcessEnd::kSignal && ended.code == contract::kRecorderIsSilent) ||
        (without_end && ended.code == contract::kRecorderFailed))
        return "the recorder failed: its messages do not reach Tilereel; the program must not "
               "close or replace "
               "descriptors that it did not open";
    if (without_end)
        return "launches can be missing: the program became another one (exec), went on in another "
               "process (daemon), or ended by a system call of its own; let the process that "
               "launches kernels return from main() or call exit()";
    return {};
}

// The program ended before a process that it had forked.
RecordedFinding left_copy() {
    RecordedFinding finding;
    finding.what =
        "A process that the program had started with fork() still ran when the program ended. It "
        "was ended, too, and what it would have launched is not recorded.";
    finding.advice = "Wait for it with waitpid() before main() returns.";
    return finding;
}

// kWrongCall if a file of the program cannot be read as one, or is given twice.
Status check_files(const ProgramRequest& request) {
    std::vector<std::filesystem::path> files = {request.file};
    for (const std::filesystem::path& file : request.more_files) {
        if (file.empty()) return wrong_call("--with needs the name of a source file");
        files.push_back(file);
    }
    std::error_code error;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string name = files[i].string();
        if (std::filesystem::is_directory(files[i], error))
            return wrong_call(name + " is a folder; name the source files in it");
        if (!std::filesystem::exists(files[i], error))
            return wrong_call("there is no file " + name);
        if (!std::filesystem::is_regular_file(files[i], error))
            return wrong_call(name + " is not a regular file; name a source file");
        for (std::size_t other = 0; other < i; ++other)
            if (std::filesystem::equivalent(files[i], files[other], error))
                return wrong_call(
                    name + " is given twice" +
                    (files[other] == files[i] ? "" : ", also as " + files[other].string()) +
                    "; leave one out");
    }
    return Done{};
}

Status check_request(const ProgramRequest& request) {
    TRY(check_files(request));
    if (!request.in_sandbox) return Done{};
    if (request.on_gpu) return wrong_call("a program on a GPU does not run in a sandbox");
    if (const std::string& why = why_no_sandbox(); !why.empty()) return failed(why);
    return Done{};
}

Result<BuiltProgram> build_for_gpu(const ProgramRequest& request,
                                   const std::shared_ptr<const std::filesystem::path>& folder,
                                   const std::atomic<bool>* cancel) {
    if (!request.launch_lines.empty())
        return wrong_call("--call launches a kernel on the CPU; leave out --device gpu");
    const std::string architecture =
        TRY(request.gpu_architecture.empty() ? gpu_architecture() : request.gpu_architecture);
    const GpuToolchain tools = TRY(prepare_gpu_toolchain(architecture));
    GpuProgram built = TRY(build_gpu_program(request, tools, *folder, cancel));
    return BuiltProgram{.folder = folder,
                        .program = built.program,
                        .compiler = "nvcc " + tools.version,
                        .gpu = built.facts,
                        .errors = std::move(built.errors),
                        .compiler_output = std::move(built.compiler_output)};
}

}  // namespace

Result<std::shared_ptr<const std::filesystem::path>> temporary_folder() {
    TemporaryFolder made = TRY(TemporaryFolder::make());
    const auto kept = std::make_shared<TemporaryFolder>(std::move(made));
    return std::shared_ptr<const std::filesystem::path>(kept, &kept->path());
}

bool can_record_on_gpu() { return !find_nvcc().empty() && gpu_architecture(); }

namespace {

Result<BuiltProgram> build_for_cpu(const ProgramRequest& request, ProgramProgress* progress,
                                   Made what) {
    const std::shared_ptr<const std::filesystem::path> folder = TRY(temporary_folder());
    const Toolchain tools = TRY(prepare_toolchain(request.standard));
    Compiled compiled = TRY(compile_program(request, tools, *folder,
                                            progress != nullptr ? progress->stop : nullptr, what));
    return BuiltProgram{.folder = folder,
                        .program = compiled.program,
                        .compiler = "g++ " + tools.version,
                        .gpu = nullptr,
                        .errors = std::move(compiled.errors),
                        .compiler_output = std::move(compiled.compiler_output)};
}

}  // namespace

Result<BuiltProgram> build_program(const ProgramRequest& request, ProgramProgress* progress) {
    TRY(check_request(request));
    if (request.on_gpu)
        return build_for_gpu(request, TRY(temporary_folder()),
                             progress != nullptr ? progress->stop : nullptr);
    return build_for_cpu(request, progress, Made::kProgram);
}

Result<BuiltProgram> build_object(const ProgramRequest& request, ProgramProgress* progress) {
    TRY(check_request(request));
    return build_for_cpu(request, progress, Made::kObject);
}

std::string launch_error_text(const ProgramRun& run) {
    for (const LaunchSummary& launch : run.launches)
        for (const RecordedFinding& finding : launch.findings)
            if (ends_launch(finding))
                return "launch " + std::to_string(launch.number) + " " + launch_end_text(finding);
    return {};
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
    const auto note_time = [progress] {
        if (progress != nullptr)
            progress->heard_ns = std::chrono::steady_clock::now().time_since_epoch().count();
    };
    note_time();
    if (progress != nullptr)
        progress->change([&built](ProgramStage& stage) {
            stage.kind = ProgramStage::Kind::kRunning;
            stage.folder = built.folder;
        });
    ProgramMessages messages(request, run, progress);
    ProcessRequest process = process_of(request, built, progress);
    process.on_message = [&](const std::string& line) {
        note_time();
        messages.hear(line);
    };
    ProcessResult ended = TRY(run_process(process));
    if (request.in_sandbox && ended.end == ProcessEnd::kExit && ended.code > kSignalled &&
        !messages.has_ended(ended.process)) {
        ended.end = ProcessEnd::kSignal;
        ended.code -= kSignalled;
    }
    // Nothing of the program runs any more, so nobody can replace a file that is sound now.
    for (LaunchSummary& launch : run.launches)
        if (!launch.trace.empty() && !is_own_file(launch.trace)) {
            launch.trace.clear();
            launch.reason = kReplacedTrace;
        }
    if (const std::string& why = messages.recorder_failure(); !why.empty())
        return failed((why.starts_with(kOfProgram) ? "" : "the recorder failed: ") + why);
    if (!messages.wrong_call().empty() && !request.launch_lines.empty())
        return wrong_call("--call: " + messages.wrong_call());
    if (std::string lost = lost_messages(request, built, ended, messages); !lost.empty())
        return failed(std::move(lost));
    // glibc ends the process itself where it has no memory for a thread's variables.
    if (ended.end == ProcessEnd::kSignal &&
        ended.output.find("Fatal glibc error: failed to register TLS destructor: out of memory") !=
            std::string::npos)
        return failed(
            "the recorder failed: it has no more memory; record less with --accesses, or raise the "
            "limit of memory");
    if (ended.end == ProcessEnd::kExit || ended.end == ProcessEnd::kSignal)
        messages.list_last_launch();
    messages.tell_unsound();
    if (ended.left_copies && ended.end == ProcessEnd::kExit) run.findings.push_back(left_copy());
    run.output = ended.output;
    run.output_cut = ended.output_cut;
    run.run_seconds = ended.seconds;
    tell_end(request, ended, run);
    if (run.end == ProgramEnd::kExit && messages.stopped_after())
        run.end_sentence = "The program was stopped after launch " +
                           std::to_string(*messages.stopped_after()) + ", as --launch asks.";
    if (built.gpu != nullptr) finish_gpu_run(request, built.program, *built.gpu, run);
    return run;
}

Result<ProgramRun> run_program(const ProgramRequest& request, ProgramProgress* progress) {
    const auto begin = std::chrono::steady_clock::now();
    const BuiltProgram built = TRY(build_program(request, progress));
    const std::chrono::duration<double> compiling = std::chrono::steady_clock::now() - begin;
    Result<ProgramRun> run = run_built(built, request, progress);
    if (run) run.value().compile_seconds = compiling.count();
    return run;
}

}  // namespace tilereel::program

#pragma once
// The CUDA program that is open in the window: its run on a thread of its own, its launches, and
// the trace of the watched launch. It does not depend on drawing.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/task_thread.h"
#include "instrumentation/analysis/products/named_product.h"
#include "instrumentation/base/result.h"
#include "instrumentation/program/program.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

using RunProgram = std::function<Result<program::ProgramRun>(const program::ProgramRequest& request,
                                                             program::ProgramProgress* progress)>;
using ReadLaunchTrace = std::function<Result<Trace>(const std::filesystem::path& file)>;

struct ProgramBenchOptions {
    bool on_thread = true;   // false: open() and choose() finish before they return
    RunProgram run{};        // empty: programs cannot be opened; open() reports this
    ReadLaunchTrace read{};  // empty: read_trace()
};

// The counts of a launch by the rules of the generation for which the program ran.
struct LaunchCounts {
    std::uint64_t sectors = 0;                    // of global loads and stores
    std::uint64_t wavefronts = 0, conflicts = 0;  // of shared memory
    bool operator==(const LaunchCounts&) const = default;
};

// Products that the user named, by kernel; "": for every kernel with such arrays.
using NamedProducts = std::map<std::string, NamedProduct>;

// The results of an earlier run, and the text of its file.
struct FormerRun {
    std::string text;
    std::vector<program::LaunchSummary> launches;
    std::vector<RecordedFinding> findings;  // of the program as a whole
};

struct OpenedProgram {
    program::ProgramRequest request;
    NamedProducts products{};
    std::optional<NamedProduct> named{};  // the user's product for the shown launch
    bool running = false;                 // compiling or running; see `stage`
    program::ProgramStage stage{};        // of the current run at the last advance()
    // How long it has run at the last advance(), without compiling; nullopt: it does not run.
    std::optional<double> running_seconds{};
    // The part of running_seconds without a message of the program: its limit of time counts this.
    double quiet_seconds = 0;
    bool ending = false;  // it was cancelled and writes what it has recorded
    // How long the last run had taken, with compiling, when it was cancelled; nullopt: it was not,
    // or it is shown.
    std::optional<double> cancelled_after{};
    std::optional<program::ProgramRun> run{};  // the last run that compiled
    std::string run_text{};                    // the file's text when `run` began
    // The last run with another text than `run_text` that has a recording; nullopt: none.
    std::optional<FormerRun> former{};
    std::vector<std::optional<LaunchCounts>> counts{};  // by launch of `run`; nullopt: not yet
    std::string error{};  // why the last run could not start; empty: it did
    std::vector<program::CompileError> compile_errors{};  // of the last run; empty: it compiled
    std::string text{};     // the file's text when the last run began, whether it compiled or not
    std::string started{};  // time of day at which the last run began: "14:01:12"
    bool saved = false;     // it ran again because its file had changed on disk
    std::optional<std::uint32_t> launch{};  // index of the shown launch in run->launches
    // The launches to choose from: while the program runs, those that have finished.
    [[nodiscard]] const std::vector<program::LaunchSummary>& listed() const;
    // Index of the shown launch in listed(); nullopt if it is of the former run.
    [[nodiscard]] std::optional<std::uint32_t> listed_launch() const;
    // `run` holds what the current run has recorded so far, because one of its launches was opened.
    bool unfinished = false;
    // The block that this run is to record: ProgramBench::record_block(). Its launch by number.
    std::optional<program::LaunchBlock> asked{};
    // Files that define what the last link missed.
    [[nodiscard]] std::vector<std::filesystem::path> missing_files() const;
    [[nodiscard]] std::string name() const { return request.file.filename().string(); }
};

class ProgramBench {
  public:
    explicit ProgramBench(ProgramBenchOptions options);
    ~ProgramBench();
    ProgramBench(const ProgramBench&) = delete;
    ProgramBench& operator=(const ProgramBench&) = delete;

    // Compiles, runs and records the program. Cancels a current run.
    void open(program::ProgramRequest request, NamedProducts products = {});
    // Names the product that the kernel of the shown launch computes. nullopt: the recognised
    // product; this also forgets the product for every kernel. If the product does not fit, nothing
    // changes, and take_message() says why.
    void name_product(const std::optional<NamedProduct>& product);
    // `saved`: the reason is that its file has changed on disk.
    // `all_blocks`: also blocks that take long run, in this run and in later ones.
    void run_again(bool saved = false, bool all_blocks = false);
    // Adds the files that define what the last link missed, and runs the program again.
    void add_missing_files();
    // Runs the program again to record also this block of the shown launch. The former run stays if
    // that fails or is cancelled.
    void record_block(std::uint32_t block);
    // A program that runs ends, and what it has recorded is shown. A second call drops the run.
    void cancel();
    // Reads the trace of a launch for take_trace(). `launch`: index into listed(). The program may
    // still run; it goes on.
    void choose(std::uint32_t launch);
    // Takes over the finished work of the thread.
    void advance();
    // The next trace to show, once; nullptr if there is no new one.
    [[nodiscard]] std::shared_ptr<const Trace> take_trace();
    // The block to watch in that trace, once: the argument of record_block().
    [[nodiscard]] std::optional<std::uint32_t> take_block();
    // An error since the last call, as a sentence; or empty.
    [[nodiscard]] std::string take_message();

    [[nodiscard]] const OpenedProgram* program() const;  // nullptr: none was opened
    [[nodiscard]] bool busy() const;

  private:
    struct Work;  // the thread's task, shared with it
    void start(std::shared_ptr<Work> work);
    void start_run(bool saved);
    void read_early(std::shared_ptr<Work> work);
    void choose_finished(std::uint32_t launch);
    void adopt(program::ProgramRun run);
    void stop_work();
    void forget_asked();
    [[nodiscard]] bool keeps_former(const program::ProgramRun& run);
    [[nodiscard]] bool drops_cancelled(const program::ProgramRun& run);
    void take_stage();
    void take_run();
    void take_launch();
    void take_early();
    void show_read(Work& work);
    void start_counting();
    void take_counts();

    ProgramBenchOptions options_;
    std::optional<OpenedProgram> program_;
    std::shared_ptr<Work> work_;          // the newest; nullptr: idle
    std::shared_ptr<Work> early_;         // reads a launch while work_ runs the program
    struct Counting;                      // counts all launches while there is no other work
    std::shared_ptr<Counting> counting_;  // nullptr: all are counted
    std::shared_ptr<const Trace> trace_;
    std::optional<std::uint32_t> block_;  // to watch in the trace that is read next
    std::vector<program::LaunchBlock>
        recorded_more_;  // ProgramRequest::more_blocks of the shown run
    std::string message_;
    TaskThread thread_, early_thread_;  // last: their tasks use the members above
};

// The launch to show first: `wanted` if it has a trace, else the first launch with a trace.
[[nodiscard]] std::optional<std::uint32_t> launch_to_show(const program::ProgramRun& run,
                                                          std::optional<std::uint32_t> wanted);

}  // namespace tilereel

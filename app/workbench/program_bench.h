#pragma once
// The CUDA program that is open in the window: its run on a thread of its own, its launches, and
// the trace of the launch that is watched. Knows nothing of how it is drawn.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/task_thread.h"
#include "instrumentation/analysis/named_product.h"
#include "instrumentation/base/result.h"
#include "instrumentation/plain/program.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

using RunProgram = std::function<Result<plain::ProgramRun>(const plain::ProgramRequest& request,
                                                           plain::ProgramProgress* progress)>;
using ReadLaunchTrace = std::function<Result<Trace>(const std::filesystem::path& file)>;

struct ProgramBenchOptions {
    bool on_thread = true;   // false: open() and choose() finish before they return
    RunProgram run{};        // empty: programs cannot be opened, and open() says so
    ReadLaunchTrace read{};  // empty: read_trace()
};

// What a launch asked of memory, by the rules of the generation that the program ran for.
struct LaunchCounts {
    std::uint64_t sectors = 0;                    // of global loads and stores
    std::uint64_t wavefronts = 0, conflicts = 0;  // of shared memory
    bool operator==(const LaunchCounts&) const = default;
};

// Products that the user named, by kernel; "" for every kernel that has such arrays.
using NamedProducts = std::map<std::string, NamedProduct>;

// What a run found, and the text of the file that ran.
struct FormerRun {
    std::string text;
    std::vector<plain::LaunchSummary> launches;
    std::vector<RecordedFinding> findings;  // of the program as a whole
};

struct OpenedProgram {
    plain::ProgramRequest request;
    NamedProducts products{};
    std::optional<NamedProduct> named{};     // the one that the launch shown is shown as
    bool running = false;                    // compiling or running; `stage` says which
    plain::ProgramStage stage{};             // of the run under way, as of the last advance()
    std::optional<plain::ProgramRun> run{};  // the last one that compiled
    std::string run_text{};                  // the file's text when `run` began
    // The last run of another text than `run_text`; nullopt: the file was not edited.
    std::optional<FormerRun> former{};
    std::vector<std::optional<LaunchCounts>> counts{};  // by launch of `run`; empty: not yet
    std::string error{};  // why the last run could not be done at all; or empty
    // Why the last run did not compile, and the file's text then; empty: it compiled.
    std::vector<plain::CompileError> compile_errors{};
    std::string text{};
    std::string started{};                  // time of day at which the last run began: "14:01:12"
    bool saved = false;                     // it ran again because its file had changed on disk
    std::optional<std::uint32_t> launch{};  // index into run->launches of the trace that is shown
    // The block for whose sake it runs: ProgramBench::record_block(). Its launch by number.
    std::optional<plain::LaunchBlock> asked{};
    [[nodiscard]] std::string name() const { return request.file.filename().string(); }
};

class ProgramBench {
  public:
    explicit ProgramBench(ProgramBenchOptions options);
    ~ProgramBench();
    ProgramBench(const ProgramBench&) = delete;
    ProgramBench& operator=(const ProgramBench&) = delete;

    // Compiles, runs and records the program. A run under way is cancelled.
    void open(plain::ProgramRequest request, NamedProducts products = {});
    // From now on the kernel of the launch that is shown is this product; nullopt: what it is
    // recognised as, and what was named for every kernel is forgotten, too. Where it does not fit,
    // take_message() says why, and nothing changes.
    void name_product(const std::optional<NamedProduct>& product);
    // `saved`: because its file has changed on disk.
    void run_again(bool saved = false);
    // Runs the program again so that this block of the launch that is shown is recorded, too. The
    // former run stays if that fails or is cancelled.
    void record_block(std::uint32_t block);
    void cancel();
    // Reads the trace of a launch; take_trace() then has it. `launch`: index into run->launches.
    void choose(std::uint32_t launch);
    // Takes over what the thread has finished.
    void advance();
    // The trace to show from now on, once; nullptr: nothing new.
    [[nodiscard]] std::shared_ptr<const Trace> take_trace();
    // The block to watch in that trace, once: the one that record_block() was called for.
    [[nodiscard]] std::optional<std::uint32_t> take_block();
    // What went wrong since the last call, as a sentence; or empty.
    [[nodiscard]] std::string take_message();

    [[nodiscard]] const OpenedProgram* program() const;  // nullptr: none was opened
    [[nodiscard]] bool busy() const;

  private:
    struct Work;  // what the thread does, shared with it
    void start(std::shared_ptr<Work> work);
    void start_run(bool saved);
    void stop_work();
    void forget_asked();
    [[nodiscard]] bool keeps_former(const plain::ProgramRun& run);
    void take_run();
    void take_launch();
    void start_counting();
    void take_counts();

    ProgramBenchOptions options_;
    std::optional<OpenedProgram> program_;
    std::shared_ptr<Work> work_;          // the newest; nullptr: idle
    struct Counting;                      // of all launches, while nothing else is to be done
    std::shared_ptr<Counting> counting_;  // nullptr: all are counted
    std::shared_ptr<const Trace> trace_;
    std::optional<std::uint32_t> block_;             // to watch in the trace that is read next
    std::vector<plain::LaunchBlock> recorded_more_;  // ProgramRequest::more_blocks of the run shown
    std::string message_;
    TaskThread thread_;  // last: its task uses what stands above
};

// The launch to show first: `wanted` if it has a trace, else the first that has one.
[[nodiscard]] std::optional<std::uint32_t> launch_to_show(const plain::ProgramRun& run,
                                                          std::optional<std::uint32_t> wanted);

}  // namespace tilereel

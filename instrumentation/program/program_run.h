#pragma once
// A request to compile and run a CUDA program, and the results: of the compilation, of the run, and
// of each launch.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/contract/record_options.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::gpu {
struct GpuFacts;
}

namespace tilereel::program {

struct ProgramLimits {
    // Time limit of the run, without the compilation: from one message of the program to the next
    // (a launch begins, blocks have ended). The whole run may take kWholeRunFactor times as long.
    double seconds = 60;
    double whole_seconds = 0;  // of the whole run; 0: as above
    // Of the program and all processes that it starts together:
    std::uint64_t memory_bytes = std::uint64_t{8} << 30;
    std::uint64_t file_bytes = std::uint64_t{8} << 30;          // that they write
    unsigned processes = 256;                                   // at once
    std::uint64_t output_bytes = std::uint64_t{1} << 20;        // kept of what it prints
    std::uint64_t accesses_a_launch = std::uint64_t{16} << 20;  // recorded; the budget for blocks
    // The budget for some of the blocks, if the launch has too many for the budget above.
    std::uint64_t accesses_of_sample = std::uint64_t{4} << 20;
    std::uint64_t accesses = std::uint64_t{64} << 20;  // of all launches
    double compile_seconds = 300;                      // of each call of the compiler
};

using contract::LaunchBlock;

struct ProgramRequest {
    std::filesystem::path file;
    std::vector<std::filesystem::path> more_files;
    std::vector<std::string> arguments;  // the program's own
    std::vector<std::filesystem::path> include_folders;
    // It is compiled and runs in a sandbox (sandbox.h), or not at all: the program is a stranger's.
    // Not with on_gpu.
    bool in_sandbox = false;
    std::vector<std::string> defines;         // "N=4" or "N"
    std::vector<std::string> compiler_flags;  // for g++, after all others
    std::string standard = "c++17";
    std::string generation = "9.0";  // compute capability that the program sees
    ProgramLimits limits;
    // On this computer's GPU, compiled by nvcc; else on the CPU.
    bool on_gpu = false;
    std::string gpu_architecture;  // "sm_90a"; empty: that GPU's
    // Launches of a file, instead of its main(): launch_line_text.h.
    std::vector<std::string> launch_lines;
    // Record only this one, counted from 0, and stop the program after it.
    std::optional<std::uint32_t> launch;
    // Record only these; empty: what fits the budget. A launch that has none of them gets a reason.
    std::vector<std::uint32_t> blocks;
    // Recorded besides those, whatever the budget. A launch without such a block ignores it.
    std::vector<LaunchBlock> more_blocks;
    // The blocks of a launch that are not recorded run even if they take longer than 20 seconds.
    bool all_blocks = false;
    bool keeps_assignments = true;  // false: values of named locals are neither hooked nor recorded
    // False: a CPU recording has no bytes of arrays before and after the launch, because the caller
    // has them.
    bool keeps_contents = true;
    // Of the values of a sum, every n-th one is kept, and the last one of each epoch. 0: all, up to
    // a budget.
    std::uint32_t accumulator_interval = 0;
    // The blocks of a launch depend neither on each other nor on their order: all cores record
    // them.
    bool independent_blocks = false;
    // False: only `blocks` run, and the launch ends with them. Block 0 must be one of them.
    bool runs_other_blocks = true;
    unsigned workers = 0;  // CPU threads that run blocks; 0: one a core
    // The program is one of Tilereel's own: it starts no processes and hands its trace over in
    // memory instead of writing a file. It is linked statically, so that it starts in less
    // than a millisecond instead of three.
    bool hands_trace_over = false;
    // The descriptor of the TraceReceiver that gets the program's only trace (handed_trace.h). -1:
    // traces are written to files.
    int memory_file = -1;
    std::function<void()> on_piece{};  // called when the receiver should take what has arrived
};

// A launch of the program, and the result of its recording.
struct LaunchSummary {
    std::uint32_t number = 0;  // from 0 on
    std::string kernel;        // "multiply<16>"
    std::string file;          // of the launch
    std::uint32_t line = 0;
    Dim3 grid, block;
    std::uint32_t shared_bytes = 0;            // a block
    std::uint64_t recorded_blocks = 0;         // of grid.count()
    std::vector<std::uint32_t> chosen_blocks;  // ascending; empty: all of them
    std::uint64_t unhooked_blocks = 0;         // that ran from code without hooks
    std::uint64_t accesses = 0;                // recorded
    // Blocks that did not run, because they would take so many seconds: ProgramRequest::all_blocks.
    std::uint64_t left_out_blocks = 0, left_out_seconds = 0;
    // Blocks that run after the recorded ones, and the seconds that they are expected to need; 0:
    // they need few.
    std::uint64_t rest_blocks = 0, rest_seconds = 0;
    std::vector<std::uint32_t> cut_blocks;  // recorded up to the budget only
    bool uses_textures = false;             // whose accesses are not recorded
    bool uses_cub = false;                  // whose accesses are those of our own code
    bool is_recorded = true;                // false: the budget of all launches was used up
    std::vector<RecordedFinding> findings;  // that have no thread or access
    std::filesystem::path trace;            // empty: `reason`, or is_handed_over
    bool is_handed_over = false;            // through ProgramRequest::memory_file
    // If it is handed over: the final numbers of its sums and mbarriers (record/number_in_order.h).
    std::vector<std::uint32_t> sums, barriers;
    std::string reason;               // why there is no trace
    bool lacks_asked_blocks = false;  // its grid has none of ProgramRequest::blocks
    // Of a run on the GPU:
    std::uint64_t called_from = 0;  // offset in the program of the launching call; 0: unknown
    bool is_whole = true;           // all records fitted into the buffer
};

struct CompileError {
    std::string file;
    std::uint32_t line = 0, column = 0;  // 0: of no line
    std::string message;                 // of the compiler
    std::string missing{};               // a symbol that the linker did not find
    std::filesystem::path defined_in{};  // a file that defines it and is not of the program
    bool was_late = false;               // the tool was stopped at ProgramLimits::compile_seconds
};

enum class ProgramEnd : std::uint8_t { kExit, kSignal, kTimeLimit, kLimit, kCancelled };

// What the program printed and how it ended. The folder with the traces lives as long as this.
struct ProgramRun {
    std::vector<LaunchSummary> launches;
    std::vector<CompileError> compile_errors;  // not empty: it did not run
    std::string output;                        // standard output and standard error, in order
    bool output_cut = false;
    ProgramEnd end = ProgramEnd::kExit;
    int exit_code = 0;                      // or the signal
    std::string end_sentence;               // "The program ended with exit code 3."
    std::vector<RecordedFinding> findings;  // of the program as a whole
    std::vector<std::string> on_host;       // functions of libraries that ran on the host
    double compile_seconds = 0, run_seconds = 0;
    std::shared_ptr<const std::filesystem::path> folder;  // removed with the last reference
};

struct ProgramStage {
    enum class Kind : std::uint8_t { kCompiling, kRunning } kind = Kind::kCompiling;
    std::uint32_t launch = 0;             // the one that runs, from 0 on
    double share = 0;                     // the fraction of it that is done
    std::vector<LaunchSummary> launches;  // finished so far; their traces can be read
    std::shared_ptr<const std::filesystem::path> folder;  // of the traces; null: it has not begun
};

// Shared by the thread that runs the program and the threads that show its progress or cancel it.
class ProgramProgress {
  public:
    std::atomic<bool> cancel{false};     // the program is ended, and what it has recorded is lost
    std::atomic<bool> interrupt{false};  // it is asked to end, and what it has recorded is kept
    const std::atomic<bool>* stop = &cancel;  // the run ends when this is true
    // When the program last sent a message, by the steady clock; 0: it has not begun. Its limit of
    // time counts from there.
    std::atomic<std::int64_t> heard_ns{0};
    // Called at every change, if set, on the thread that runs the program.
    std::function<void(const ProgramStage&)> on_change{};
    [[nodiscard]] ProgramStage stage() const {
        const std::lock_guard lock(mutex_);
        return stage_;
    }
    template <class Change>
    void change(Change&& to) {
        const std::lock_guard lock(mutex_);
        to(stage_);
        if (on_change) on_change(stage_);
    }

  private:
    mutable std::mutex mutex_;
    ProgramStage stage_;
};

// A compiled program, to be run any number of times. The last reference to its folder removes
// the folder.
struct BuiltProgram {
    std::shared_ptr<const std::filesystem::path> folder;
    std::filesystem::path program;               // empty: `errors`
    std::string compiler;                        // "g++ 12.2.0"
    std::shared_ptr<const gpu::GpuFacts> gpu{};  // of a program for the GPU, else null
    std::vector<CompileError> errors;
    std::string compiler_output;
};

}  // namespace tilereel::program

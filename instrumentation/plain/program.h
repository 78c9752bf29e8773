#pragma once
// Opens an unmodified CUDA program: compiles it with g++ and our plugin, runs it as a process of
// its own, without a GPU and without the CUDA Toolkit, and records the memory accesses of its
// launches. Each recorded launch becomes a trace file. With ProgramRequest::on_gpu, nvcc compiles
// the program, and it is recorded on a GPU.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::plain {

struct ProgramLimits {
    // Longest time without the end of a launch or block, and a tenth of the limit for the whole
    // run. Does not include the compilation.
    double seconds = 60;
    std::uint64_t memory_bytes = std::uint64_t{8} << 30;        // of the program
    std::uint64_t file_bytes = std::uint64_t{8} << 30;          // of each file that it writes
    std::uint64_t output_bytes = std::uint64_t{1} << 20;        // kept of what it prints
    std::uint64_t accesses_a_launch = std::uint64_t{16} << 20;  // recorded accesses of one launch
    std::uint64_t accesses = std::uint64_t{64} << 20;           // recorded accesses of all launches
};

// A block of a launch, both counted from 0.
struct LaunchBlock {
    std::uint32_t launch = 0, block = 0;
    bool operator==(const LaunchBlock&) const = default;
};

struct ProgramRequest {
    std::filesystem::path file;
    std::vector<std::filesystem::path> more_files;
    std::vector<std::string> arguments;  // the program's own
    std::vector<std::filesystem::path> include_folders;
    std::vector<std::string> defines;  // "N=4" or "N"
    std::string standard = "c++17";
    std::string generation = "9.0";  // the compute capability that the program sees
    ProgramLimits limits;
    // Compile with nvcc and run on this computer's GPU; else on the CPU.
    bool on_gpu = false;
    std::string gpu_architecture;  // "sm_90"; empty: that of this computer's GPU
    // Launch lines that replace the file's main(): launch_line.h.
    std::vector<std::string> launch_lines;
    std::optional<std::uint32_t> launch;  // record only this launch, counted from 0
    std::vector<std::uint32_t> blocks;    // record only these blocks; empty: as the budget allows
    // Recorded in addition, even beyond the budget. Blocks that a launch does not have are ignored.
    std::vector<LaunchBlock> more_blocks;
    bool keeps_assignments = true;  // false: values of named locals are neither hooked nor recorded
    // Of each sum, every value at this interval is kept, and the last one of each epoch. 0: all
    // values, up to a budget.
    std::uint32_t accumulator_interval = 0;
    // The blocks of a launch depend neither on each other nor on their order, so all cores may
    // record them.
    bool independent_blocks = false;
    unsigned workers = 0;  // CPU threads that run blocks; 0: one for each core
    // A file descriptor (MemoryFile, handed_trace.h) through which one of Tilereel's own programs
    // returns its only trace. -1: the program writes trace files.
    int memory_file = -1;
};

// A launch of the program and its recording.
struct LaunchSummary {
    std::uint32_t number = 0;  // from 0 on
    std::string kernel;        // "multiply<16>"
    std::string file;          // source file of the launch
    std::uint32_t line = 0;
    Dim3 grid, block;
    std::uint32_t shared_bytes = 0;            // per block
    std::uint64_t recorded_blocks = 0;         // number of recorded blocks, of grid.count()
    std::vector<std::uint32_t> chosen_blocks;  // recorded blocks, ascending; empty: all
    std::uint64_t unhooked_blocks = 0;         // number of blocks that ran without hooks
    std::uint64_t accesses = 0;                // number of recorded accesses
    std::vector<RecordedFinding> findings;     // those without a thread or an access
    std::filesystem::path trace;               // empty if is_handed_over, or see `reason`
    bool is_handed_over = false;               // the trace is in ProgramRequest::memory_file
    std::string reason;                        // why there is no trace
    // On a GPU: the address of the launch in the program, and whether its records fitted into the
    // buffer.
    std::uint64_t called_from = 0;
    bool is_whole = true;
};

struct CompileError {
    std::string file;
    std::uint32_t line = 0, column = 0;  // 0: the error has no line
    std::string words;                   // the compiler's message
};

enum class ProgramEnd : std::uint8_t { kExit, kSignal, kTimeLimit, kMemoryLimit, kCancelled };

// What the program printed and how it ended. The folder with the traces lives as long as this.
struct ProgramRun {
    std::vector<LaunchSummary> launches;
    std::vector<CompileError> compile_errors;  // if there are any, the program did not run
    std::string output;                        // standard output and standard error, in order
    bool output_cut = false;
    ProgramEnd end = ProgramEnd::kExit;
    int exit_code = 0;                      // or the signal number
    std::string end_sentence;               // "The program ended with exit code 3."
    std::vector<RecordedFinding> findings;  // of the program as a whole
    double compile_seconds = 0, run_seconds = 0;
    std::shared_ptr<const std::filesystem::path> folder;  // removed with the last reference
};

struct ProgramStage {
    enum class Kind : std::uint8_t { kCompiling, kRunning } kind = Kind::kCompiling;
    std::uint32_t launch = 0;             // the running launch, counted from 0
    double share = 0;                     // the part of that launch that is done, 0 to 1
    std::vector<LaunchSummary> launches;  // finished launches
};

// Shared by a run and the thread that waits for it.
class ProgramProgress {
  public:
    std::atomic<bool> cancel{false};
    const std::atomic<bool>* stop = &cancel;  // the flag that the run reads; may be another one
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

struct GpuFacts;

// A compiled program that can run any number of times. Its folder is removed with the last
// reference to it.
struct BuiltProgram {
    std::shared_ptr<const std::filesystem::path> folder;
    std::filesystem::path program;          // empty if there are errors
    std::string compiler;                   // "g++ 12.2.0"
    bool accesses_only = false;             // compiled without the plugin (toolchain.h)
    std::shared_ptr<const GpuFacts> gpu{};  // null for a program that runs on the CPU
    std::vector<CompileError> errors;
    std::string words;  // the compiler's whole output
};
[[nodiscard]] Result<BuiltProgram> build_program(const ProgramRequest& request,
                                                 ProgramProgress* progress = nullptr);
// Uses the parts of `request` that concern the run, not those that concern the compilation.
[[nodiscard]] Result<ProgramRun> run_built(const BuiltProgram& built, const ProgramRequest& request,
                                           ProgramProgress* progress = nullptr);
// Whether this computer has a GPU and nvcc.
[[nodiscard]] bool can_record_on_gpu();
// A new folder in the system's temporary folder, removed with the last reference.
[[nodiscard]] Result<std::shared_ptr<const std::filesystem::path>> temporary_folder();

// build_program(), then run_built(). Fails if there is no g++ or the file does not exist. A program
// that does not compile, or that crashes, is not a failure but a result.
[[nodiscard]] Result<ProgramRun> run_program(const ProgramRequest& request,
                                             ProgramProgress* progress = nullptr);

}  // namespace tilereel::plain

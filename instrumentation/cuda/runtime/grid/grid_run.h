#pragma once
// Runs all blocks of a launch. Recorded blocks run one after another, or on all cores
// (recorded_team.h); the others run without hooks, on all cores. Blocks start in ascending order.
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "instrumentation/cuda/runtime/block/unhooked_worker.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/grid/recorded_team.h"
#include "instrumentation/cuda/runtime/grid/rest_of_launch.h"
#include "instrumentation/cuda/runtime/launch_facts.h"
#include "instrumentation/cuda/runtime/launch_recorder.h"

namespace tilereel::runtime {

class GridRun {
  public:
    // `recorder`: null if the launch is not recorded. `budget`: the number of accesses to record.
    GridRun(const LaunchFacts& facts, void (*body)(void*), void* data, LaunchRecorder* recorder,
            std::uint64_t budget);
    ~GridRun();
    // Of a launch that takes long, the recorded blocks run first. Then this is called, and no more
    // goes to the recorder.
    std::function<void()> on_recorded;
    // Runs the blocks; false if the launch was cut short.
    bool run();
    [[nodiscard]] std::uint64_t unhooked_blocks() const { return unhooked_blocks_; }
    [[nodiscard]] const Worker& worker() const { return worker_; }
    // What of the budget was used: by all but Options::more_blocks.
    [[nodiscard]] std::uint64_t cost() const { return worker_.cost() - more_cost_; }
    // Ascending.
    [[nodiscard]] const std::vector<std::uint32_t>& recorded_blocks() const { return chosen_; }

  private:
    void run_blocks();
    void run_first();
    [[nodiscard]] bool takes_long() const;
    void run_only_recorded();
    void run_recorded_first();
    void help_waiting_block(std::uint32_t block, bool is_cut);
    void pause_lower_blocks();
    void stop_lower_blocks();
    [[nodiscard]] bool takes_too_long(std::size_t workers);
    [[nodiscard]] bool is_done(std::uint32_t block) const;
    [[nodiscard]] bool records_on_all_cores() const;
    void record_on_all_cores();
    void add_more_blocks();
    void run_with_hooks(std::uint32_t block, bool recorded);
    void run_without_hooks(std::uint32_t end);  // blocks from next_ to end - 1
    void work(std::uint32_t end, const std::function<bool()>& may_continue);
    void note_cut(std::uint32_t block);
    void note_stops();
    void note_fault(const FaultPlace& place);
    void send_fault(const FaultPlace& place);
    void report_out_of_bounds();
    void keep_printed(std::uint32_t block, std::string& text);
    void report_progress(std::uint32_t done);
    [[nodiscard]] bool needs_hooks() const;
    [[nodiscard]] Job job_of(void (*body)(void*), void* data);

    const LaunchFacts& facts_;
    LaunchRecorder* recorder_;
    std::uint64_t budget_;
    class DiscardingSink;  // for a first block that runs with hooks but is not in the trace
    std::unique_ptr<DiscardingSink> discarding_sink_;
    Worker worker_;
    UnhookedJob unhooked_;
    std::uint32_t blocks_;
    std::vector<std::uint32_t> chosen_;  // blocks to record
    std::vector<std::uint32_t> more_;    // those of them that are in Options::more_blocks
    std::uint64_t more_cost_ = 0;
    std::atomic<std::uint32_t> next_{0};
    std::atomic<bool> stopped_{false};
    std::atomic<std::uint64_t> unhooked_blocks_{0};
    RestOfLaunch rest_;
    std::atomic<bool> left_out_{false};  // the rest of the blocks does not run
    // While the recorded blocks run before the others: since when the present one runs; else 0.
    std::int64_t recorded_since_ns_ = 0;
    std::uint32_t begun_ = 0;         // the last recorded block that has begun
    std::uint32_t waiting_ = 0;       // a recorded block during which lower blocks run; 0: none
    std::uint64_t lower_blocks_ = 0;  // the number of these
    std::atomic<bool> lower_paused_{false};
    std::function<void()> run_lower_;
    bool in_recorded_ = false;        // a recorded block runs
    bool is_cut_ = false;             // a block was longer than the budget
    bool unsafe_ = false;             // a recorded block made an access that only hooks can stop
    std::vector<FaultPlace> faults_;  // of recorded blocks
    std::mutex printed_mutex_;
    std::map<std::uint32_t, std::string> printed_;  // by block
    std::size_t printed_bytes_ = 0;
    // When progress was last reported; how long the first block took.
    std::int64_t reported_at_ns_ = 0, first_ns_ = 0;
    std::unique_ptr<RecordedTeam> team_;
};

}  // namespace tilereel::runtime

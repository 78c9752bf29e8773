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

#include "instrumentation/plain/runtime/launch_facts.h"
#include "instrumentation/plain/runtime/launch_recorder.h"
#include "instrumentation/plain/runtime/recorded_team.h"
#include "instrumentation/plain/runtime/unhooked_worker.h"
#include "instrumentation/plain/runtime/worker.h"

namespace tilereel::plain {

class GridRun {
  public:
    // `recorder`: null if the launch is not recorded. `budget`: the number of accesses to record.
    GridRun(const LaunchFacts& facts, void (*body)(void*), void* data, LaunchRecorder* recorder,
            std::uint64_t budget);
    ~GridRun();
    // Runs the blocks; false if the launch was cut short.
    bool run();
    [[nodiscard]] std::uint64_t unhooked_blocks() const { return unhooked_blocks_; }
    [[nodiscard]] const Worker& worker() const { return worker_; }
    // The recorded accesses that count for the budget: all but those of Options::more_blocks.
    [[nodiscard]] std::uint64_t budgeted_accesses() const {
        return worker_.accesses() - more_accesses_;
    }
    // Ascending.
    [[nodiscard]] const std::vector<std::uint32_t>& recorded_blocks() const { return chosen_; }

  private:
    void run_blocks();
    void run_first();
    [[nodiscard]] bool records_on_all_cores() const;
    void record_on_all_cores();
    void add_more_blocks();
    void run_with_hooks(std::uint32_t block, bool recorded);
    void run_without_hooks(std::uint32_t end);  // blocks from next_ to end - 1
    void work(std::uint32_t end, const std::function<bool()>& may_continue);
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
    std::uint64_t more_accesses_ = 0;
    std::atomic<std::uint32_t> next_{0};
    std::atomic<bool> stopped_{false};
    std::atomic<std::uint64_t> unhooked_blocks_{0};
    bool unsafe_ = false;             // a recorded block made an access that only hooks can stop
    std::vector<FaultPlace> faults_;  // of recorded blocks
    std::mutex printed_mutex_;
    std::map<std::uint32_t, std::string> printed_;  // by block
    std::size_t printed_bytes_ = 0;
    // When progress was last reported; how long the first block took.
    std::int64_t reported_at_ns_ = 0, first_ns_ = 0;
    std::unique_ptr<RecordedTeam> team_;
};

}  // namespace tilereel::plain

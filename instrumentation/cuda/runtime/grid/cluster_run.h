#pragma once
// Runs a launch whose blocks form clusters: one cluster after another, the blocks of each together
// (running_cluster.h). A cluster is recorded as a whole, or not at all.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/cuda/runtime/block/unhooked_worker.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/cluster/running_cluster.h"
#include "instrumentation/cuda/runtime/grid/rest_of_launch.h"
#include "instrumentation/cuda/runtime/launch_facts.h"
#include "instrumentation/cuda/runtime/launch_recorder.h"
#include "instrumentation/cuda/runtime/warp/event_buffer.h"

namespace tilereel::runtime {

class ClusterRun {
  public:
    // `recorder`: null if the launch is not recorded. `budget`: the number of accesses to record.
    ClusterRun(const LaunchFacts& facts, void (*body)(void*), void* data, LaunchRecorder* recorder,
               std::uint64_t budget);
    // Of a launch that takes long, the recorded clusters run first. Then this is called, and no
    // more goes to the recorder.
    std::function<void()> on_recorded;
    // False if the launch was cut short.
    bool run();
    [[nodiscard]] const Worker& worker() const { return *members_.front().hooked; }
    [[nodiscard]] std::uint64_t cost() const { return cost_; }
    [[nodiscard]] std::uint64_t unhooked_blocks() const { return unhooked_blocks_; }
    // Ascending.
    [[nodiscard]] const std::vector<std::uint32_t>& recorded_blocks() const { return chosen_; }

  private:
    // What the CPU thread of a rank has. It lives until the launch ends, because the trace refers
    // to its arrays.
    struct Member {
        std::unique_ptr<Worker> hooked;
        std::unique_ptr<UnhookedWorker> unhooked;
        bool is_recording = false;
    };
    void run_rank(std::uint32_t rank);
    bool begin_next();
    [[nodiscard]] std::optional<std::uint32_t> take_next();
    void report_progress();
    void hand_over();
    void run_block(std::uint32_t rank);
    void run_with_hooks(std::uint32_t rank, std::uint32_t block);
    void run_without_hooks(std::uint32_t rank, std::uint32_t block);
    void end_first();
    void choose(std::vector<std::uint32_t> blocks);
    [[nodiscard]] Job job();
    [[nodiscard]] bool is_chosen(std::uint32_t cluster) const;
    void note_stops();

    const LaunchFacts& facts_;
    LaunchRecorder* recorder_;
    std::uint64_t budget_;
    Turns turns_;
    RunningCluster cluster_;
    std::uint32_t clusters_;
    std::uint32_t next_ = 0;         // cluster to run; those before it have run, or are chosen
    std::uint32_t done_ = 0;         // clusters
    bool chosen_first_ = false;      // the chosen clusters run first, then the others
    std::uint32_t next_chosen_ = 1;  // those before it are not chosen, or have run
    bool is_over_ = false;           // no cluster is left
    bool first_has_ended_ = false;
    RestOfLaunch rest_;
    UnhookedJob unhooked_;
    std::vector<Member> members_;                // by rank
    std::vector<std::uint32_t> chosen_;          // blocks
    std::map<std::uint32_t, EventBuffer> kept_;  // by block
    std::map<std::uint32_t, std::string> printed_;
    EventBuffer discarded_;
    std::int64_t reported_at_ns_ = 0;
    bool is_cut_ = false, is_hooked_ = true, needs_hooks_ = false;
    std::uint64_t cost_ = 0, unhooked_blocks_ = 0;
};

}  // namespace tilereel::runtime

#pragma once
// Records the blocks of a launch on all cores. CPU threads take batches of consecutive blocks, and
// the batches are merged in the order of the blocks, so that the trace is the same for any number
// of cores. The kernel's blocks must depend neither on each other nor on their order.
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/launch_facts.h"
#include "instrumentation/cuda/runtime/launch_recorder.h"
#include "instrumentation/cuda/runtime/launches/batch_sink.h"
#include "instrumentation/record/batch.h"

namespace tilereel::runtime {

class RecordedTeam {
  public:
    // Blocks `first` to `last` - 1. `job`: its sink is not used.
    RecordedTeam(const LaunchFacts& facts, const Job& job, LaunchRecorder& recorder,
                 std::uint32_t first, std::uint32_t last);
    // Calls `report` now and then with the number of the next block to be merged. Returns false if
    // the launch was cut short.
    bool run(const std::function<void(std::uint32_t next)>& report);
    [[nodiscard]] std::uint64_t accesses() const;

  private:
    // The worker and sink of one CPU thread. They live until the launch ends, because the trace
    // refers to their arrays.
    struct Member {
        std::unique_ptr<BatchSink> sink;
        std::unique_ptr<Worker> worker;
    };
    void work(const std::function<void(std::uint32_t next)>* report);
    void record(Member& member, std::size_t batch);
    [[nodiscard]] std::unique_ptr<Batch> take_empty();
    void merge(std::size_t batch, std::unique_ptr<Batch> full);
    [[nodiscard]] std::uint32_t first_of(std::size_t batch) const;

    const LaunchFacts& facts_;
    Job job_;
    LaunchRecorder& recorder_;
    std::uint32_t first_, last_, batch_blocks_;
    std::size_t batches_;
    std::vector<Member> members_;
    std::atomic<std::size_t> next_member_{0}, next_batch_{0};
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;  // guards the members below
    std::vector<std::unique_ptr<Batch>> finished_, empty_;
    std::atomic<std::size_t> merged_{0};
};

}  // namespace tilereel::runtime

#pragma once
// Runs a cooperative launch. All blocks are alive at once, each on a CPU thread of its own, whose
// thread-local variables are its shared memory. One block runs at a time, up to a grid barrier.
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "instrumentation/cuda/runtime/block/unhooked_worker.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/launch_facts.h"
#include "instrumentation/cuda/runtime/launch_recorder.h"
#include "instrumentation/cuda/runtime/warp/event_buffer.h"

namespace tilereel::runtime {

class CooperativeRun {
  public:
    CooperativeRun(const LaunchFacts& facts, void (*body)(void*), void* data,
                   LaunchRecorder* recorder);
    // False if the launch was cut short.
    bool run();
    // The worker of the first block that ran with hooks; valid after run().
    [[nodiscard]] const Worker& worker() const { return *first_; }
    [[nodiscard]] std::uint64_t accesses() const { return accesses_; }
    [[nodiscard]] std::uint64_t cost() const { return cost_; }
    [[nodiscard]] const std::vector<std::uint32_t>& recorded_blocks() const { return chosen_; }

  private:
    [[nodiscard]] Job job_of(BlockSink* sink);
    void run_block(std::uint32_t block);
    void run_with_hooks(std::uint32_t block);
    void run_without_hooks(std::uint32_t block);
    void wait_until_scheduled(std::uint32_t block);
    void schedule_next(std::uint32_t block, bool done);
    void note_stops();

    const LaunchFacts& facts_;
    void (*body_)(void*);
    void* data_;
    LaunchRecorder* recorder_;
    std::uint32_t blocks_;
    bool guarded_;
    std::vector<std::uint32_t> chosen_;
    std::vector<EventBuffer> kept_;  // of the chosen blocks
    UnhookedJob unhooked_;
    std::unique_ptr<Worker> first_;
    std::vector<std::unique_ptr<Worker>> others_;  // alive because events refer to their BoxCopys
    std::vector<const Worker*> unfinished_;        // of recorded blocks that have begun
    std::uint64_t accesses_ = 0, cost_ = 0;

    std::mutex mutex_;
    std::unique_ptr<std::condition_variable[]> wake_;  // by block: signalled when it is scheduled
    std::uint32_t scheduled_ = 0;                      // the block that may run
    std::vector<char> done_;
    std::vector<char> has_ended_;  // by block: all its threads have returned
    std::atomic<bool> stopped_{false};
};

}  // namespace tilereel::runtime

#include "instrumentation/record/emulator.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>

#include "instrumentation/base/check.h"
#include "instrumentation/record/merge.h"

namespace tilereel {
namespace {

// Consecutive blocks, dealt to the workers in batches and merged in order; shared by all workers.
class Recording {
  public:
    Recording(const BlockJob& job, std::uint32_t first, std::uint32_t blocks, unsigned workers,
              Trace& trace, RecordProgress* progress)
        : job_(job),
          first_(first),
          blocks_(blocks),
          batch_blocks_(blocks_of_a_batch(blocks, workers)),
          batches_((blocks + batch_blocks_ - 1) / batch_blocks_),
          progress_(progress),
          finished_(batches_),
          merger_(trace, batches_) {}

    // What each worker does.
    void work() {
        try {
            BlockRunner runner(job_);
            for (std::size_t i; (i = next_.fetch_add(1)) < batches_;) {
                std::unique_ptr<Batch> batch = take_empty();
                if (!record_batch(runner, i, *batch)) return;
                merge(i, std::move(batch));
            }
        } catch (const std::bad_alloc&) {
            note(0, failed("the computer has run out of memory; record a smaller product"));
        }
    }

    // Completes the trace, or says what went wrong in the first failing batch.
    Status finish() {
        if (error_) return *error_;
        merger_.finish();
        return Done{};
    }

  private:
    bool record_batch(BlockRunner& runner, std::size_t i, Batch& batch) {
        runner.begin_batch(batch);
        const auto first = static_cast<std::uint32_t>(i * batch_blocks_);
        const std::uint32_t last = std::min(first + batch_blocks_, blocks_);
        for (std::uint32_t block = first; block < last; ++block) {
            if (i > first_failure_.load(std::memory_order_relaxed)) return false;
            const Status status = runner.run(first_ + block);
            if (!status) {
                note(i, status.error());
                return false;
            }
            if (progress_ != nullptr)
                progress_->blocks_done.fetch_add(1, std::memory_order_relaxed);
        }
        return true;
    }

    std::unique_ptr<Batch> take_empty() {
        const std::lock_guard lock(mutex_);
        if (empty_.empty()) return std::make_unique<Batch>();
        std::unique_ptr<Batch> batch = std::move(empty_.back());
        empty_.pop_back();
        return batch;
    }

    // Merges this batch and those behind it that waited for it.
    void merge(std::size_t i, std::unique_ptr<Batch> batch) {
        const std::lock_guard lock(mutex_);
        finished_[i] = std::move(batch);
        for (; merged_ < batches_ && finished_[merged_]; ++merged_) {
            merger_.add(*finished_[merged_]);
            finished_[merged_]->clear();
            empty_.push_back(std::move(finished_[merged_]));
        }
    }

    void note(std::size_t batch, const Error& error) {
        const std::lock_guard lock(mutex_);
        if (error_ && batch >= first_failure_) return;
        error_ = error;
        first_failure_ = batch;
    }

    BlockJob job_;
    std::uint32_t first_, blocks_, batch_blocks_;
    std::size_t batches_;
    RecordProgress* progress_;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> first_failure_{std::numeric_limits<std::size_t>::max()};
    std::mutex mutex_;  // of all below
    std::vector<std::unique_ptr<Batch>> finished_, empty_;
    std::size_t merged_ = 0;
    Merger merger_;
    std::optional<Error> error_;
};

Array global_array(const char* name, std::uint32_t rows, std::uint32_t columns) {
    return {.name = name,
            .space = Space::kGlobal,
            .rows = rows,
            .columns = columns,
            .leading_dimension = columns,
            .element_bytes = sizeof(float),
            .base_bytes = 0};
}

Trace empty_trace(const EmulatedLaunch& launch, Inputs inputs) {
    const Launch& shape = launch.launch;
    Trace trace;
    trace.launch = shape;
    trace.accumulator_interval = launch.accumulator_interval;
    trace.arrays = {global_array("A", shape.m, shape.k), global_array("B", shape.k, shape.n),
                    global_array("C", shape.m, shape.n)};
    trace.a = std::move(inputs.a);
    trace.b = std::move(inputs.b);
    trace.c.assign(std::size_t{shape.m} * shape.n, std::numeric_limits<float>::quiet_NaN());
    return trace;
}

void run_workers(Recording& recording, unsigned workers) {
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < workers; ++i) {
        try {
            helpers.emplace_back([&] { recording.work(); });
        } catch (const std::system_error&) {
            break;  // the system gives no more threads: those there are do the work
        }
    }
    recording.work();
}

}  // namespace

// Small, so that a batch's memory stays in the cache and none waits long for the last.
std::uint32_t blocks_of_a_batch(std::uint32_t blocks, unsigned workers) {
    constexpr std::uint32_t kBatchesPerWorker = 64;
    const std::uint32_t wanted = std::min(blocks, workers * kBatchesPerWorker);
    return (blocks + wanted - 1) / wanted;
}

Result<Trace> emulate(const EmulatedLaunch& launch, Inputs inputs, RecordProgress* progress) {
    check(launch.accumulator_interval >= 1 && launch.body != nullptr);
    check(launch.keeps_records || launch.launch.removed_barrier != 0);
    const std::uint32_t all = launch.launch.blocks() - launch.first_block;
    const std::uint32_t blocks = launch.blocks == 0 ? all : std::min(all, launch.blocks);
    Trace trace = empty_trace(launch, std::move(inputs));
    MemoryBudget budget(launch.memory_limit_bytes);
    const BlockJob job{.launch = &launch.launch,
                       .body = launch.body,
                       .arguments = {.a = trace.a.data(),
                                     .b = trace.b.data(),
                                     .c = trace.c.data(),
                                     .m = static_cast<int>(launch.launch.m),
                                     .n = static_cast<int>(launch.launch.n),
                                     .k = static_cast<int>(launch.launch.k)},
                       .dynamic_shared_bytes = launch.dynamic_shared_bytes,
                       .accumulator_interval = launch.accumulator_interval,
                       .keeps_records = launch.keeps_records,
                       .budget = &budget,
                       .cancel = progress != nullptr ? &progress->cancel : nullptr};
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const unsigned workers = std::min(launch.workers == 0 ? cores : launch.workers, blocks);
    Recording recording(job, launch.first_block, blocks, workers, trace, progress);
    run_workers(recording, workers);
    const Status status = recording.finish();
    if (!status) return status.error();
    return trace;
}

}  // namespace tilereel

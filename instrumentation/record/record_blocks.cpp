#include "instrumentation/record/record_blocks.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "instrumentation/record/merge.h"

namespace tilereel {
namespace {

class Recording {  // shared by all workers
  public:
    Recording(const BlockRange& range, const MakeBlockRecorder& make_recorder, Trace& trace,
              RecordProgress* progress)
        : range_(range),
          make_recorder_(make_recorder),
          batches_((range.blocks + range.batch_blocks - 1) / range.batch_blocks),
          progress_(progress),
          merger_(trace, batches_) {
        for (MergeStep& step : steps_) step.waiting.resize(batches_);
    }

    // Runs in each worker: records and merges batches until none is left.
    void work() {
        try {
            const std::unique_ptr<BlockRecorder> recorder = make_recorder_();
            for (std::size_t i; (i = next_.fetch_add(1)) < batches_;) {
                std::unique_ptr<Batch> batch = take_empty();
                if (!record_batch(*recorder, i, *batch)) return;
                merger_.populate(i);
                merge(i, std::move(batch));
            }
        } catch (const std::bad_alloc&) {
            out_of_memory_ = true;  // finish() makes the message, because that needs memory
            first_failure_ = 0;     // the other workers stop
        }
    }

    // Completes the trace, or returns the error of the first batch that failed.
    Status finish() {
        if (out_of_memory_)
            return failed("the computer has run out of memory; record a smaller product");
        if (error_) return *error_;
        merger_.finish();
        return Done{};
    }

  private:
    bool record_batch(BlockRecorder& recorder, std::size_t i, Batch& batch) {
        const auto first = static_cast<std::uint32_t>(i * range_.batch_blocks);
        const std::uint32_t last = std::min(first + range_.batch_blocks, range_.blocks);
        Status status = recorder.begin_batch(batch, range_.first + first, range_.first + last);
        for (std::uint32_t block = first; status && block < last; ++block) {
            if (i > first_failure_.load(std::memory_order_relaxed)) return false;
            status = recorder.run(range_.first + block);
            if (status)
                batch.end_block(range_.numbers.empty() ? range_.first + block
                                                       : range_.numbers[range_.first + block]);
            if (status && progress_ != nullptr)
                progress_->blocks_done.fetch_add(1, std::memory_order_relaxed);
        }
        if (!status) keep_first_error(i, status.error());
        return status.has_value();
    }

    std::unique_ptr<Batch> take_empty() {
        const std::lock_guard lock(mutex_);
        if (empty_.empty()) return std::make_unique<Batch>();
        std::unique_ptr<Batch> batch = std::move(empty_.back());
        empty_.pop_back();
        return batch;
    }

    // Gives the batch to a step of the merger, and runs the step for all batches that are next in
    // block order. Several workers merge at once, each in another step.
    void merge(std::size_t i, std::unique_ptr<Batch> batch, std::size_t step = 0) {
        if (step == Merger::kSteps) return give_back(std::move(batch));
        MergeStep& here = steps_[step];
        {
            const std::lock_guard lock(here.mutex);
            here.waiting[i] = std::move(batch);
        }
        for (;;) {
            std::unique_ptr<Batch> merged;
            std::size_t number = 0;
            {
                const std::lock_guard lock(here.mutex);
                if (here.next == batches_ || !here.waiting[here.next]) return;
                number = here.next++;
                merged = std::move(here.waiting[number]);
                merger_.add(*merged, step);
            }
            merge(number, std::move(merged), step + 1);
        }
    }
    void give_back(std::unique_ptr<Batch> batch) {
        batch->clear();
        const std::lock_guard lock(mutex_);
        empty_.push_back(std::move(batch));
    }

    void keep_first_error(std::size_t batch, const Error& error) {
        const std::lock_guard lock(mutex_);
        if (error_ && batch >= first_failure_) return;
        error_ = error;
        first_failure_ = batch;
    }

    BlockRange range_;
    const MakeBlockRecorder& make_recorder_;
    std::size_t batches_;
    RecordProgress* progress_;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> first_failure_{std::numeric_limits<std::size_t>::max()};
    std::atomic<bool> out_of_memory_{false};
    // `waiting`: by number, the batches that wait for this step. `next`: the number of the batch
    // that the step processes next.
    struct MergeStep {
        std::mutex mutex;
        std::vector<std::unique_ptr<Batch>> waiting;
        std::size_t next = 0;
    };
    std::array<MergeStep, Merger::kSteps> steps_;
    Merger merger_;
    std::mutex mutex_;  // guards the members below
    std::vector<std::unique_ptr<Batch>> empty_;
    std::optional<Error> error_;
};

void run_workers(Recording& recording, unsigned workers) {
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < workers; ++i) {
        try {
            helpers.emplace_back([&] { recording.work(); });
        } catch (const std::system_error&) {
            break;  // the system gives no more threads: the others do the work
        }
    }
    recording.work();
}

}  // namespace

unsigned workers_for(unsigned asked, std::uint32_t blocks) {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    return std::max(1u, std::min(asked == 0 ? cores : asked, blocks));
}

// Batches are small, so that their memory stays in the cache and all workers end at about the same
// time.
std::uint32_t blocks_of_a_batch(std::uint32_t blocks, unsigned workers) {
    constexpr std::uint32_t kBatchesPerWorker = 64;
    const std::uint32_t wanted = std::min(blocks, workers * kBatchesPerWorker);
    return (blocks + wanted - 1) / wanted;
}

Status record_blocks(const BlockRange& range, const MakeBlockRecorder& make_recorder, Trace& trace,
                     RecordProgress* progress) {
    Recording recording(range, make_recorder, trace, progress);
    run_workers(recording, range.workers);
    return recording.finish();
}

}  // namespace tilereel

#include "app/workbench/recording/recording_worker.h"

#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "app/ladder/ladder.h"
#include "app/replay/places/navigation.h"
#include "app/workbench/recording/wrong_product.h"

namespace tilereel {

struct RecordingWorker::Task {
    RecordingJob job;
    RecordProgress progress;
    RecordProgress before_progress;  // apart, so that the window's bar does not start over
    std::optional<RecordingOutcome> outcome;

    void cancel() {
        progress.cancel = true;
        before_progress.cancel = true;
    }
    RecordingOutcome run(const RecordFunction& record);

  private:
    Result<Trace> record_somewhere(const RecordFunction& record);
    Result<FinishedRecording> finish(std::shared_ptr<const Trace> trace,
                                     const RecordFunction& record);
    CountsColumn before_column(const RecordFunction& record);

    std::string without_gpu_;
};

// If no GPU works, the launch is recorded on the CPU, so that the window still shows it.
Result<Trace> RecordingWorker::Task::record_somewhere(const RecordFunction& record) {
    const bool wants_gpu = job.request.recorder == Recorder::kGpu;
    RecordRequest request = job.request;
    if (wants_gpu) request.recorder = Recorder::kAuto;
    std::string without_gpu;
    Result<Trace> trace = record(request, &progress, &without_gpu);
    const bool expected = request.removed_barrier != 0 || !wants_gpu;
    if (trace && !expected) without_gpu_ = std::move(without_gpu);
    return trace;
}

RecordingOutcome RecordingWorker::Task::run(const RecordFunction& record) {
    try {
        if (job.trace) return finish(job.trace, record);
        Trace trace = TRY(record_somewhere(record));
        return finish(std::make_shared<const Trace>(std::move(trace)), record);
    } catch (const std::bad_alloc&) {
        return failed("There is not enough memory for this recording; choose smaller M, N or K");
    } catch (const std::exception& problem) {
        return failed(std::string("The recording failed: ") + problem.what());
    }
}

Result<FinishedRecording> RecordingWorker::Task::finish(std::shared_ptr<const Trace> trace,
                                                        const RecordFunction& record) {
    const Generation& generation = *job.generation;
    std::vector<SiteCounts> sites = count_sites(*trace, {}, generation);
    const KernelCounts counts = sum_of(*trace, sites);
    std::vector<Finding> findings = find_hazards(*trace, generation);
    std::vector<WrongElement> wrong = wrong_elements_of(*trace);
    std::string judged_part = judged_part_text(*trace, !wrong.empty());
    AsCompiled compiled = as_compiled(*trace, sites);
    job.request.order = trace->launch.order;  // the order that was found to make C wrong, if wanted
    job.request.find_failing_order = false;
    if (!without_gpu_.empty()) job.request.recorder = Recorder::kCpu;
    Replay replay = TRY(Replay::of_block(*trace, block_at(*trace, job.place), generation));
    const bool from_request = job.trace == nullptr;
    const bool in_part = from_request && !trace->chosen_blocks.empty();
    CountsColumn before = in_part ? CountsColumn{} : before_column(record);
    return FinishedRecording{.recording = {.request = std::move(job.request),
                                           .id = replay.id(),
                                           .trace = std::move(trace),
                                           .counts = counts,
                                           .sites = std::move(sites),
                                           .generation = &generation,
                                           .findings = std::move(findings),
                                           .wrong = std::move(wrong),
                                           .judged_part = std::move(judged_part),
                                           .compiled = std::move(compiled),
                                           .from_request = from_request},
                             .replay = std::move(replay),
                             .before_launch = job.before.launch,
                             .before = std::move(before),
                             .without_gpu = std::move(without_gpu_)};
}

CountsColumn RecordingWorker::Task::before_column(const RecordFunction& record) {
    if (job.before.counts) return {.label = job.before.launch.label, .counts = *job.before.counts};
    if (!job.before.request) return {};
    RecordRequest request = *job.before.request;
    request.recorder = Recorder::kCpu;  // the counts are the same with either recorder
    std::string ignored;
    const Result<Trace> trace = record(request, &before_progress, &ignored);
    if (!trace) return {};  // the recording itself is good: it is shown without a comparison
    return {.label = job.before.launch.label,
            .counts = count_kernel(*trace, {}, *job.before.launch.generation)};
}

RecordingWorker::RecordingWorker(bool on_thread, RecordFunction record)
    : record_(record ? std::move(record) : RecordFunction(record_ladder)) {
    if (!on_thread) return;
    try {
        thread_.emplace([this](const std::stop_token& stop) { work(stop); });
    } catch (const std::system_error&) {  // without a thread, jobs are done at once
    }
}

RecordingWorker::~RecordingWorker() {
    cancel();
    if (thread_) thread_->request_stop();  // and ~jthread joins
}

void RecordingWorker::submit(RecordingJob job) {
    cancel();
    newest_ = std::make_shared<Task>();
    newest_->job = std::move(job);
    if (!thread_) {
        newest_->outcome = newest_->run(record_);
        finished_ = newest_;
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        waiting_ = newest_;
    }
    wake_.notify_one();
}

void RecordingWorker::cancel() {
    if (newest_ == nullptr) return;
    newest_->cancel();
    newest_.reset();
    const std::lock_guard lock(mutex_);
    waiting_.reset();
}

std::optional<RecordingOutcome> RecordingWorker::take() {
    TaskPointer task;
    {
        const std::lock_guard lock(mutex_);
        task = std::exchange(finished_, nullptr);
    }
    if (task == nullptr || task != newest_) return std::nullopt;
    newest_.reset();
    return std::move(task->outcome);
}

const RecordProgress* RecordingWorker::progress() const {
    return newest_ == nullptr ? nullptr : &newest_->progress;
}

void RecordingWorker::discard(Recording recording) {
    if (!thread_) return;
    {
        const std::lock_guard lock(mutex_);
        discarded_.push_back(std::move(recording));
    }
    wake_.notify_one();
}

void RecordingWorker::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const auto has_work = [this] { return waiting_ != nullptr || !discarded_.empty(); };
    while (wake_.wait(lock, stop, has_work)) {
        const TaskPointer task = std::exchange(waiting_, nullptr);
        std::vector<Recording> discarded = std::exchange(discarded_, {});
        lock.unlock();
        discarded.clear();
        if (task != nullptr) task->outcome = task->run(record_);
        lock.lock();
        if (task != nullptr) finished_ = task;
    }
}

}  // namespace tilereel

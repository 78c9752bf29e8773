#include "app/workbench/recording_worker.h"

#include <exception>
#include <new>
#include <utility>

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
    RecordingOutcome run();

  private:
    Result<FinishedRecording> finish(std::shared_ptr<const Trace> trace);
    CountsColumn before_column();
};

RecordingOutcome RecordingWorker::Task::run() {
    try {
        if (job.trace) return finish(job.trace);
        Result<Trace> trace = record_with_emulator(job.request, &progress);
        if (!trace) return trace.error();
        return finish(std::make_shared<const Trace>(std::move(trace).value()));
    } catch (const std::bad_alloc&) {
        return failed("There is not enough memory for this recording; choose smaller M, N or K");
    } catch (const std::exception& problem) {
        return failed(std::string("The recording failed: ") + problem.what());
    }
}

Result<FinishedRecording> RecordingWorker::Task::finish(std::shared_ptr<const Trace> trace) {
    const Generation& generation = *job.generation;
    std::vector<SiteCounts> sites = count_sites(*trace, {}, generation);
    const KernelCounts counts = sum_of(*trace, sites);
    std::vector<Finding> findings = find_hazards(*trace, generation);
    const Launch& launch = trace->launch;
    std::vector<WrongElement> wrong;
    if (launch.removed_barrier != 0)
        wrong = wrong_elements(trace->a, trace->b, trace->c, static_cast<int>(launch.m),
                               static_cast<int>(launch.n), static_cast<int>(launch.k));
    job.request.order = launch.order;  // the harmful one, if that was asked for
    job.request.find_harm = false;
    Result<Replay> replay =
        Replay::of_block(*trace, Replay::block_at(*trace, job.place), generation);
    if (!replay) return replay.error();
    CountsColumn before = before_column();
    return FinishedRecording{.recording = {.request = std::move(job.request),
                                           .id = replay->id(),
                                           .trace = std::move(trace),
                                           .counts = counts,
                                           .sites = std::move(sites),
                                           .generation = &generation,
                                           .findings = std::move(findings),
                                           .wrong = std::move(wrong)},
                             .replay = std::move(replay).value(),
                             .before_launch = job.before.launch,
                             .before = std::move(before)};
}

CountsColumn RecordingWorker::Task::before_column() {
    if (job.before.counts) return {.label = job.before.launch.label, .counts = *job.before.counts};
    if (!job.before.request) return {};
    const Result<Trace> trace = record_with_emulator(*job.before.request, &before_progress);
    if (!trace) return {};  // the recording itself is sound: show it without a comparison
    return {.label = job.before.launch.label,
            .counts = count_kernel(*trace, {}, *job.before.launch.generation)};
}

RecordingWorker::RecordingWorker(bool on_thread) {
    if (on_thread) thread_.emplace([this](const std::stop_token& stop) { work(stop); });
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
        newest_->outcome = newest_->run();
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
        if (task != nullptr) task->outcome = task->run();
        lock.lock();
        if (task != nullptr) finished_ = task;
    }
}

}  // namespace tilereel

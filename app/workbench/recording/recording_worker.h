#pragma once
// Makes recordings, on a thread of its own or synchronously. There is only one job: submit() and
// cancel() cancel the current one and discard its outcome.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/replay/places/navigation.h"
#include "app/replay/replay.h"
#include "app/workbench/recording/before_column.h"
#include "app/workbench/recording/recording.h"

namespace tilereel {

struct RecordingJob {
    RecordRequest request;
    std::shared_ptr<const Trace> trace;  // a trace that is only counted; nullptr: record one
    const Generation* generation = &default_generation();
    BeforePlan before;
    LogicalPlace place;  // the watched place when the job was submitted
};

struct FinishedRecording {
    Recording recording;
    Replay replay;  // of the block at the job's place
    BeforeLaunch before_launch;
    CountsColumn before;
    std::string without_gpu;  // why the CPU recorded instead of a GPU; empty: it did not
};
using RecordingOutcome = Result<FinishedRecording>;

class RecordingWorker {
  public:
    RecordingWorker(bool on_thread, RecordFunction record);
    ~RecordingWorker();
    RecordingWorker(const RecordingWorker&) = delete;
    RecordingWorker& operator=(const RecordingWorker&) = delete;

    void submit(RecordingJob job);
    void cancel();
    // Frees a recording on the worker's thread, because a large one takes longer than a frame.
    void discard(Recording recording);
    // The newest job's outcome, once.
    [[nodiscard]] std::optional<RecordingOutcome> take();
    [[nodiscard]] bool busy() const { return newest_ != nullptr; }
    [[nodiscard]] const RecordProgress* progress() const;  // of the newest job; nullptr when idle

  private:
    struct Task;
    // Shared by the window, which reads the progress, and the worker's thread. The window may drop
    // the task before the thread notices that it is cancelled.
    using TaskPointer = std::shared_ptr<Task>;
    void work(const std::stop_token& stop);

    RecordFunction record_;
    TaskPointer newest_;  // the window's side

    std::mutex mutex_;
    std::condition_variable_any wake_;
    TaskPointer waiting_;                 // guarded by mutex_
    TaskPointer finished_;                // guarded by mutex_; its outcome is set
    std::vector<Recording> discarded_;    // guarded by mutex_
    std::optional<std::jthread> thread_;  // last: it uses the members above
};

}  // namespace tilereel

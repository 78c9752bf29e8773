#pragma once
// Makes recordings, on a thread of its own or at once. The newest job is the only one: submitting
// another, or cancelling, asks the one in flight to stop and forgets it.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/replay/navigation.h"
#include "app/replay/replay.h"
#include "app/workbench/before_column.h"
#include "app/workbench/recording.h"

namespace tilereel {

struct RecordingJob {
    RecordRequest request;
    std::shared_ptr<const Trace> trace;  // recorded already: only counted; else nullptr
    const Generation* generation = &default_generation();
    BeforePlan before;
    LogicalPlace place;  // what was watched when the job was given
};

struct FinishedRecording {
    Recording recording;
    Replay replay;  // of the block at the job's place
    BeforeLaunch before_launch;
    CountsColumn before;
    std::string without_gpu;  // why the CPU recorded what a GPU was to; empty: it did not
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
    // Frees a recording off the window's thread: a large one takes longer than a frame.
    void discard(Recording recording);
    // The newest job's outcome, once.
    [[nodiscard]] std::optional<RecordingOutcome> take();
    [[nodiscard]] bool busy() const { return newest_ != nullptr; }
    [[nodiscard]] const RecordProgress* progress() const;  // of the newest job; nullptr when idle

  private:
    struct Task;
    // Shared by the window, which reads the progress, and the thread, which works on the task: the
    // window may have forgotten it before the thread has noticed that it is cancelled.
    using TaskPointer = std::shared_ptr<Task>;
    void work(const std::stop_token& stop);

    RecordFunction record_;
    TaskPointer newest_;  // the window's side

    std::mutex mutex_;
    std::condition_variable_any wake_;
    TaskPointer waiting_;                 // guarded by mutex_
    TaskPointer finished_;                // guarded by mutex_; its outcome is set
    std::vector<Recording> discarded_;    // guarded by mutex_
    std::optional<std::jthread> thread_;  // last: it uses what stands above
};

}  // namespace tilereel

#pragma once
// The estimates that the window shows, worked out on a thread of their own and kept, so that going
// back to a launch costs nothing.
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/workbench/task_thread.h"
#include "app/workbench/time/launch_estimate.h"

namespace tilereel {

using EstimateLaunch = std::function<Result<EstimatedLaunch>(
    const TimeQuestion& question, RecordProgress* progress, const EstimateStep& step)>;

struct TimeAnswer {
    std::optional<EstimatedLaunch> launch{};  // nullopt: not yet, or there is a problem
    std::string problem{};                    // why there is no estimate; empty: there is one
    bool complete = false;                    // every change is estimated
};

class TimeBench {
  public:
    // `on_thread`: false: ask() estimates before it returns.
    explicit TimeBench(bool on_thread, EstimateLaunch estimate = {});
    ~TimeBench();
    TimeBench(const TimeBench&) = delete;
    TimeBench& operator=(const TimeBench&) = delete;

    // The keys of what is shown, the most urgent first. `question_of(i)` is called for a key whose
    // answer is not known. Work for other keys is cancelled. Call it in each frame.
    void ask(const std::vector<std::string>& keys,
             const std::function<TimeQuestion(std::size_t)>& question_of);
    void advance();  // takes over what is known by now
    [[nodiscard]] const TimeAnswer* answer(const std::string& key) const;  // nullptr: none yet
    [[nodiscard]] bool busy() const { return !tasks_.empty(); }

  private:
    struct Task;
    void cancel();
    void keep(const std::string& key, TimeAnswer answer);

    EstimateLaunch estimate_;
    std::vector<std::string> asked_;
    std::vector<std::shared_ptr<Task>> tasks_;
    std::deque<std::pair<std::string, TimeAnswer>> kept_;  // the newest last
    TaskThread thread_;                                    // last: its tasks use the members above
};

}  // namespace tilereel

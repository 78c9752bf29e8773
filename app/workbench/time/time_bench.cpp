#include "app/workbench/time/time_bench.h"

#include <algorithm>
#include <mutex>
#include <new>

namespace tilereel {
namespace {

constexpr std::size_t kMostKept = 64;

}  // namespace

// Shared with the thread. The window drops a cancelled task at once.
struct TimeBench::Task {
    std::string key;
    TimeQuestion question;
    EstimateLaunch estimate;
    RecordProgress progress;
    std::mutex mutex;   // guards the members below
    TimeAnswer answer;  // so far
    bool news = false, done = false;

    void set(TimeAnswer now, bool is_done) {
        const std::lock_guard lock(mutex);
        answer = std::move(now);
        news = true;
        done = is_done;
    }

    void run() {
        if (progress.cancel) return;
        TimeAnswer result;
        try {
            auto found = estimate(question, &progress, [&](const EstimatedLaunch& so_far) {
                set({.launch = so_far}, false);
            });
            if (found)
                result.launch = std::move(found).value();
            else
                result.problem = found.error().message;
            // What failed outside is tried again when it is asked again.
            result.complete = found || found.error().kind == ErrorKind::kWrongCall;
        } catch (const std::bad_alloc&) {
            result.problem = "There is not enough memory to estimate this launch";
        }
        set(std::move(result), true);
    }
};

TimeBench::TimeBench(bool on_thread, EstimateLaunch estimate)
    : estimate_(estimate ? std::move(estimate) : EstimateLaunch(estimate_launch)),
      thread_(on_thread) {}

TimeBench::~TimeBench() { cancel(); }

void TimeBench::cancel() {
    for (const auto& task : tasks_) task->progress.cancel = true;
    tasks_.clear();
}

void TimeBench::ask(const std::vector<std::string>& keys,
                    const std::function<TimeQuestion(std::size_t)>& question_of) {
    if (keys == asked_) return;
    advance();  // what is known of the former questions is kept
    cancel();
    asked_ = keys;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (const TimeAnswer* known = answer(keys[i]); known != nullptr && known->complete)
            continue;
        auto task = std::make_shared<Task>();
        task->key = keys[i];
        task->question = question_of(i);
        task->estimate = estimate_;
        tasks_.push_back(task);
        thread_.submit([task] { task->run(); });
    }
    advance();
}

void TimeBench::advance() {
    std::erase_if(tasks_, [this](const std::shared_ptr<Task>& task) {
        const std::lock_guard lock(task->mutex);
        if (task->news) keep(task->key, task->answer);
        task->news = false;
        return task->done;
    });
}

void TimeBench::keep(const std::string& key, TimeAnswer answer) {
    std::erase_if(kept_, [&](const auto& kept) { return kept.first == key; });
    kept_.emplace_back(key, std::move(answer));
    while (kept_.size() > kMostKept) kept_.pop_front();
}

const TimeAnswer* TimeBench::answer(const std::string& key) const {
    const auto found =
        std::ranges::find_if(kept_, [&](const auto& kept) { return kept.first == key; });
    return found == kept_.end() ? nullptr : &found->second;
}

}  // namespace tilereel

#include "app/workbench/time/time_quiz.h"

#include <algorithm>

#include "kernels/catalog.h"

namespace tilereel {
namespace {

// What the shown launch is called beside the change: "PAD 0", "TILE 16" or its kernel.
std::string name_beside(const TimeChange& change, const RecordRequest& shown) {
    const KernelParameters &now = shown.parameters, &then = change.launch->parameters;
    const KernelInfo* const kernel = find_kernel(shown.kernel);
    if (change.launch->kernel != shown.kernel)
        return kernel == nullptr ? shown.kernel : std::string(kernel->title);
    if (now.tile == then.tile) return "PAD " + std::to_string(now.pad);
    std::string name = "TILE " + std::to_string(now.tile);
    if (now.pad != then.pad) name += "  PAD " + std::to_string(now.pad);
    return name;
}

}  // namespace

void TimeQuiz::follow(const EstimatedLaunch& launch, const RecordRequest& request, bool complete) {
    if (!on_) return;
    if (launch.title != title_) {
        title_ = launch.title;
        shown_.clear();
        asked_.reset();
        chosen_.reset();
    }
    complete_ = complete;
    if (asked_) return;
    for (std::size_t i = 0; i < launch.changes.size(); ++i) {
        const TimeChange& change = launch.changes[i];
        if (!change.launch || std::ranges::count(shown_, i) > 0) continue;
        const double times = launch.times_as_fast(change);
        asked_ = {.change = i,
                  .choices = {name_beside(change, request), change.what, "about the same"},
                  .right = times > kFaster       ? std::size_t{1}
                           : times < 1 / kFaster ? std::size_t{0}
                                                 : std::size_t{2},
                  .times = std::max(times, 1 / times)};
        return;
    }
}

void TimeQuiz::choose(std::size_t choice) {
    if (!asked_ || chosen_ || choice >= asked_->choices.size()) return;
    chosen_ = choice;
    shown_.push_back(asked_->change);
    ++answered_;
    if (choice == asked_->right) ++right_;
}

void TimeQuiz::next() {
    if (!chosen_) return;
    asked_.reset();
    chosen_.reset();
}

bool TimeQuiz::may_show(std::size_t change) const {
    return !on_ || over() || std::ranges::count(shown_, change) > 0;
}

}  // namespace tilereel

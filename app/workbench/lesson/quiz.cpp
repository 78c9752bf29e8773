#include "app/workbench/lesson/quiz.h"

namespace tilereel {

void Quiz::follow(const Replay& replay) {
    if (!on_ || replay.id() == replay_) return;
    replay_ = replay.id();
    asked_.reset();
    chosen_.reset();
    begun_ = answered_ = false;
}

const std::optional<Prediction>& Quiz::ask(const Replay& replay, double from) {
    begun_ = true;
    answered_ = false;
    chosen_.reset();
    asked_.reset();
    if (const auto step = next_to_predict(replay, from)) asked_ = prediction_of(replay, *step);
    return asked_;
}

void Quiz::choose(std::size_t choice) {
    if (asked_ && !answered_ && choice < asked_->choices.size()) chosen_ = choice;
}

void Quiz::answer() {
    if (!asked_ || answered_) return;
    answered_ = true;
    if (!chosen_) return;
    ++predicted_;
    if (*chosen_ == asked_->right) ++right_;
}

}  // namespace tilereel

#pragma once
// "Predict first": questions about the cost of the next request, answered by the recording.
#include <cstddef>
#include <cstdint>
#include <optional>

#include "app/lesson/prediction.h"

namespace tilereel {

class Quiz {
  public:
    void start(const Replay& replay) {
        *this = {};
        on_ = true;
        replay_ = replay.id();
    }
    void stop() { on_ = false; }
    // Call it when another replay is shown: drops the question about the former one, keeps the
    // score.
    void follow(const Replay& replay);

    // The next question from a position on; nullopt if there is none, which ends the quiz.
    const std::optional<Prediction>& ask(const Replay& replay, double from);
    void choose(std::size_t choice);  // index into the choices; no effect after the answer
    void answer();

    [[nodiscard]] bool on() const { return on_; }
    // The current or last question; nullopt before the first question and after the last.
    [[nodiscard]] const std::optional<Prediction>& asked() const { return asked_; }
    [[nodiscard]] std::optional<std::size_t> chosen() const { return chosen_; }
    [[nodiscard]] bool answered() const { return answered_; }
    [[nodiscard]] bool over() const { return on_ && begun_ && !asked_; }
    [[nodiscard]] std::uint32_t right() const { return right_; }  // of predicted()
    [[nodiscard]] std::uint32_t predicted() const { return predicted_; }

  private:
    bool on_ = false, begun_ = false, answered_ = false;
    std::uint64_t replay_ = 0;  // Replay::id()
    std::optional<Prediction> asked_{};
    std::optional<std::size_t> chosen_{};
    std::uint32_t right_ = 0, predicted_ = 0;
};

}  // namespace tilereel

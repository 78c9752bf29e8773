#pragma once
// "Predict first" on the page "Where the time goes": which of two launches is faster, the one that
// is shown or the one with a change? Asked before the page says it.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/time/launch_estimate.h"

namespace tilereel {

class TimeQuiz {
  public:
    // A difference by less than this is "about the same": estimates are not finer.
    static constexpr double kFaster = 1.1;
    struct Question {
        std::size_t change = 0;                // index in EstimatedLaunch::changes
        std::array<std::string, 3> choices{};  // "PAD 0", "PAD 1", "about the same"
        std::size_t right = 0;
        double times = 1;  // how many times as fast the faster one is
    };

    void start() { *this = {}, on_ = true; }
    void stop() { on_ = false; }
    // Asks about this launch; another one than before begins anew and keeps the score. Only changes
    // with a launch of their own are asked about. `complete`: all changes are estimated.
    void follow(const EstimatedLaunch& launch, const RecordRequest& request, bool complete);
    // No effect without a question, or after its answer.
    void choose(std::size_t choice);
    void next();  // no effect before the answer

    [[nodiscard]] bool on() const { return on_; }
    [[nodiscard]] const std::optional<Question>& asked() const { return asked_; }
    [[nodiscard]] std::optional<std::size_t> chosen() const { return chosen_; }
    // No question is left.
    [[nodiscard]] bool over() const { return on_ && !asked_ && complete_; }
    // It is on, and questions are left or may come.
    [[nodiscard]] bool asks() const { return on_ && !over(); }
    // Whether the page may say what this change does: it was asked about, or no question is left.
    [[nodiscard]] bool may_show(std::size_t change) const;
    [[nodiscard]] std::uint32_t right() const { return right_; }  // of answered()
    [[nodiscard]] std::uint32_t answered() const { return answered_; }

  private:
    bool on_ = false, complete_ = false;
    std::string title_;                 // of the launch
    std::vector<std::size_t> shown_{};  // changes that were asked about
    std::optional<Question> asked_{};
    std::optional<std::size_t> chosen_{};
    std::uint32_t right_ = 0, answered_ = 0;
};

}  // namespace tilereel

// What if: the launch with one thing changed, a row each. A click on a row does it.
#include <algorithm>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/time/time_views.h"
#include "app/replay/places/stops.h"
#include "app/replay/sentence/wording.h"
#include "app/ui/draw/plot.h"
#include "app/workbench/tables/checked_times.h"
#include "app/workbench/time/estimate_figures.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

bool has_conflicts(const Workbench& workbench) {
    const KernelCounts& counts = workbench.recording()->counts;
    return counts.shared_load.bank_conflicts + counts.shared_store.bank_conflicts > 0;
}

// The threads of a block of this launch; 0: it cannot run.
unsigned threads_of(const RecordRequest& request) {
    const KernelInfo* const kernel = find_kernel(request.kernel);
    if (kernel == nullptr) return 0;
    const Result<LaunchShape> shape = validate(*kernel, request.parameters);
    return shape ? shape->block_x * shape->block_y : 0;
}

class Changes : public Column {
  public:
    Changes(const TimeContext& time, const Rect& place, const Rect& seen, float& scroll)
        : Column(time.look, place), time_(time), seen_(seen), scroll_(scroll) {}

    float draw() {
        const Palette& colors = time_.colors();
        const float px = time_.type(14), title = time_.type(18);
        row(1.7f * title, [&](const Rect& at) {
            const float after =
                draw_text({at.x, at.center().y}, "What if", {Face::kSemiBold, title, colors.ink});
            if (time_.memory.quiz.on()) return;
            const TextStyle style{Face::kRegular, px, colors.ink3};
            draw_text({at.x + after + look_.wide(), at.center().y},
                      longest_that_fits({"estimated, not measured; Enter or a click does it",
                                         "estimated, not measured"},
                                        at.w - after - look_.wide(), style),
                      style);
        });
        if (time_.launch->changes.empty())
            paragraph(time_.is_about() ? "" : "A bound says nothing about changes.",
                      {Face::kRegular, px, colors.ink2});
        if (time_.memory.quiz.on()) draw_quiz();
        best_ = time_.memory.quiz.asks() ? nullptr : change_to_try(*time_.launch);
        axis_ = speed_axis(*time_.launch, time_.speed, 0);
        const std::vector<const TimeChange*> listed = changes_on_page(*time_.launch, time_.memory);
        measure_columns(listed);
        for (std::size_t i = 0; i < listed.size(); ++i) draw_change(i, *listed[i]);
        return height();
    }

  private:
    // "Predict first": the question, the choices, and what is said after one was made.
    void draw_quiz() {
        TimeQuiz& quiz = time_.memory.quiz;
        const Palette& colors = time_.colors();
        const float px = time_.type(15), small = time_.type(13);
        const std::string score = quiz.answered() == 0
                                      ? std::string()
                                      : std::to_string(quiz.right()) + " of " +
                                            std::to_string(quiz.answered()) + " right";
        if (!quiz.asked()) {
            const std::string words =
                !quiz.over() ? "The changes are being estimated."
                : quiz.answered() == 0
                    ? "There is no other launch to compare this one with. Esc: end"
                    : "No question is left: change TILE or the kernel for more. Esc: end   " +
                          score;
            paragraph(words, {Face::kSemiBold, px, colors.ink});
            return space(look_.gap());
        }
        const TimeQuiz::Question& asked = *quiz.asked();
        paragraph("Which is faster: " + asked.choices[0] + " or " + asked.choices[1] + "?",
                  {Face::kSemiBold, px, colors.ink});
        space(look_.snug());
        float x = rect_.x;
        for (std::size_t i = 0; i < asked.choices.size(); ++i) {
            const std::string label = std::to_string(i + 1) + "  " + asked.choices[i];
            const float width = button_width(label, small);
            if (x > rect_.x && x + width > rect_.right()) {
                x = rect_.x;
                space(column_button_height(small) + look_.tight());
            }
            if (button("time.quiz." + std::to_string(i), label, small, x, width, quiz.chosen() == i,
                       "Choose (" + std::to_string(i + 1) + ")"))
                quiz.choose(i);
            x += width + look_.gap();
        }
        space(column_button_height(small) + look_.gap());
        if (quiz.chosen()) {
            const bool right = *quiz.chosen() == asked.right;
            const std::string what = asked.right == 2
                                         ? "About the same: "
                                         : asked.choices[asked.right] + ": about " +
                                               two_digits(asked.times) +
                                               " times as fast, estimated, not measured. ";
            styled(
                {{right ? "Right. " : "No. ", Face::kSemiBold, right ? colors.c : colors.conflict},
                 {asked.right == 2 ? what + "less than a tenth apart, estimated. " : what,
                  Face::kRegular, colors.ink}},
                px);
        }
        paragraph((quiz.chosen() ? std::string("Page Down: the next question   Esc: end")
                                 : std::string("1 to 3: choose   Esc: end")) +
                      (score.empty() ? "" : "   " + score),
                  {Face::kRegular, small, colors.ink2});
        space(look_.gap());
    }

    // Why, or what would be different.
    [[nodiscard]] std::string reason_of(const TimeChange& change) const {
        if (!time_.may_show(change)) return "answer first";
        const bool same = is_same(change);
        switch (change.kind) {
            case ChangeKind::kNoConflicts:
                if (!has_conflicts(time_.workbench)) return "there are none";
                return same ? "they hide behind other work" : "a click shows the first";
            case ChangeKind::kCoalesced:
                return same ? "nothing to gain" : "no request moves more than it needs";
            case ChangeKind::kVariant: {
                const int blocks = change.blocks_an_sm;
                const int now = time_.launch->estimate.occupancy.blocks;
                const bool pads =
                    change.launch->parameters.tile == time_.workbench.request().parameters.tile;
                if (pads && blocks != now)  // other code takes another number of registers
                    return "longer rows; " +
                           counted(static_cast<std::uint64_t>(blocks), "block", "blocks") +
                           " an SM, not " + std::to_string(now);
                if (pads) return "longer rows of a tile";
                return "blocks of " + with_commas(threads_of(*change.launch)) + " threads, " +
                       std::to_string(blocks) + " an SM";
            }
            case ChangeKind::kOtherKernel: {
                const KernelInfo* const kernel = find_kernel(change.launch->kernel);
                return kernel == nullptr
                           ? ""
                           : "TILE " + tile_size_text(*kernel, change.launch->parameters.tile) +
                                 ", a later rung";
            }
        }
        return {};
    }
    [[nodiscard]] bool is_same(const TimeChange& change) const {
        return std::abs(time_.launch->times_as_fast(change) - 1) < kSameSpeed;
    }
    [[nodiscard]] const CheckedTime* raced(const TimeChange& change) const {
        return change.launch && time_.gpu.name == "H100"
                   ? find_checked(change.launch->kernel, change.launch->parameters)
                   : nullptr;
    }

    [[nodiscard]] std::string speed_text(const TimeChange& change) const {
        if (!time_.may_show(change)) return "?";
        return two_digits(time_.speed.of(change.seconds));
    }
    [[nodiscard]] std::string times_text(const TimeChange& change) const {
        if (!time_.may_show(change)) return {};
        return is_same(change) ? "same"
                               : "\xc3\x97" + two_digits(time_.launch->times_as_fast(change));
    }

    // All rows have the same columns; what the words leave is the axis.
    void measure_columns(const std::vector<const TimeChange*>& listed) {
        const float px = time_.type(14), pad = look_.wide();
        float words = 0;
        for (const TimeChange* change : listed) {
            speeds_ = std::max(speeds_, text_width(speed_text(*change), Face::kMonoBold, px));
            figures_ = std::max(figures_, text_width(times_text(*change), Face::kMono, px));
            words = std::max({words, text_width(change->what, Face::kSemiBold, px),
                              text_width(reason_of(*change), Face::kRegular, time_.type(13))});
        }
        const float inner = rect_.w - 2 * pad;
        axis_width_ = std::min(0.4f * inner, inner - words - speeds_ - figures_ - 4 * pad);
    }

    void draw_change(std::size_t index, const TimeChange& change) {
        const Palette& colors = time_.colors();
        const float px = time_.type(14), small = time_.type(13), pad = look_.wide();
        const bool chosen = time_.memory.chosen == change.what, best = &change == best_;
        const std::string reason = reason_of(change);
        const bool has_axis = axis_width_ > 6 * px;
        const float height = 1.35f * (px + small) + look_.gap();
        reveal(chosen, height);
        row(height, [&](const Rect& at) {
            const auto [hovered, held, clicked] =
                interact(look_, "time.change." + std::to_string(index), at, tip_of(change));
            if (best) fill_rect(at, colors.accent_tint, look_.corner());
            draw_row_mark(look_, at, chosen, hovered);
            if (best || chosen)
                stroke_rect(at, colors.accent, look_.px(chosen ? 2.5f : 1.5f), look_.corner());
            const float left = at.x + pad;
            float right = at.right() - pad;
            if (has_axis) {
                if (time_.may_show(change))
                    draw_on_axis(change, {right - axis_width_, at.y, axis_width_, at.h}, best);
                right -= axis_width_ + pad;
            }
            draw_text(
                {right, at.center().y}, times_text(change),
                {Face::kMono, px, is_same(change) ? colors.ink2 : colors.accent, Align::kRight});
            right -= figures_ + pad;
            draw_text({right, at.center().y}, speed_text(change),
                      {Face::kMonoBold, px, colors.ink, Align::kRight});
            right -= speeds_ + pad;
            draw_text_fit({left, at.center().y - 0.62f * small}, right - left, change.what,
                          {Face::kSemiBold, px, colors.ink});
            draw_text_fit({left, at.center().y + 0.66f * px}, right - left, reason,
                          {Face::kRegular, small, colors.ink2});
            if (clicked) append(time_.commands, commands_of_change(time_.workbench, change));
        });
        space(look_.snug());
    }

    // Scrolls to the row that the keyboard has just chosen.
    void reveal(bool chosen, float height) {
        if (!chosen || !time_.memory.reveals || measures()) return;
        if (y_ < seen_.y) scroll_ -= seen_.y - y_;
        if (y_ + height > seen_.bottom()) scroll_ += y_ + height - seen_.bottom();
        time_.memory.reveals = false;
    }

    void draw_on_axis(const TimeChange& change, const Rect& at, bool best) const {
        const Palette& colors = time_.colors();
        const float y = at.y + 0.36f * at.h, mark = 0.45f * at.h;
        const auto x_of = [&](double seconds) {
            return at.x + at.w * static_cast<float>(axis_.share(time_.speed.of(seconds)));
        };
        draw_list()->AddLine({at.x, y}, {at.right(), y}, colors.line, look_.line());
        const float low = x_of(change.seconds * time_.band());
        const float high = x_of(change.seconds / time_.band());
        draw_estimate_mark(look_, {low, y - mark / 2, high - low, mark}, x_of(change.seconds),
                           best ? colors.accent : colors.ink2,
                           best ? colors.accent_tint : colors.raised);
        const CheckedTime* const race = raced(change);
        if (race == nullptr) return;
        const float x = x_of(race->measured), below = at.y + 0.8f * at.h, px = time_.type(12);
        draw_marker(Marker::kCircle, {x, below}, 0.65f * px, colors.ink, colors.panel);
        const std::string words = "raced " + two_digits(time_.speed.of(race->measured));
        const float width = text_width(words, Face::kRegular, px), gap = look_.gap();
        if (width + gap > at.w) return;
        const bool right = x + gap + width <= at.right();
        draw_text({right ? x + gap : x - gap - width, below}, words,
                  {Face::kRegular, px, colors.ink});
    }

    [[nodiscard]] std::string tip_of(const TimeChange& change) const {
        if (change.launch) return "Shows " + change.what + " (Enter)";
        if (commands_of_change(time_.workbench, change).empty()) return {};
        return change.kind == ChangeKind::kNoConflicts
                   ? "Shows the first bank conflict in the replay (Enter)"
                   : "Shows the sectors of each line in the replay (Enter)";
    }

    const TimeContext& time_;
    Rect seen_;
    float& scroll_;
    const TimeChange* best_ = nullptr;
    Axis axis_;
    float speeds_ = 0, figures_ = 0, axis_width_ = 0;  // widths of the columns, pixels
};

}  // namespace

Commands commands_of_change(const Workbench& workbench, const TimeChange& change) {
    if (change.kind == ChangeKind::kVariant) {
        KernelParameters next = workbench.request().parameters;
        next.tile = change.launch->parameters.tile;
        next.pad = change.launch->parameters.pad;
        return {SetParameters{next}};
    }
    if (change.kind == ChangeKind::kOtherKernel) return {SetKernel{change.launch->kernel}};
    if (workbench.replay() == nullptr) return {};
    if (change.kind == ChangeKind::kCoalesced)
        return {SetMode{WindowMode::kReplay}, SetLineFigure{LineFigure::kSectors}};
    const std::vector<double> conflicts = conflict_stops(*workbench.replay());
    if (conflicts.empty()) return {};
    return {SetMode{WindowMode::kReplay}, SeekTo{conflicts.front(), false}};
}

float draw_time_changes(const TimeContext& time, const Rect& place, const Rect& seen,
                        float& scroll) {
    return time.launch == nullptr ? 0 : Changes(time, place, seen, scroll).draw();
}

}  // namespace tilereel

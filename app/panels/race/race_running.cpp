// A card with the running race, or the origin of the shown race, and its buttons.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/race/race_views.h"

namespace tilereel {
namespace {

class RunningCard {
  public:
    RunningCard(const RaceContext& race, const Rect& card)
        : race_(race), look_(race.look), card_(card) {
        pad_ = look_.margin();
        // The largest font that fits the card's height.
        const float units = (card.h - look_.margin()) / look_.scale;
        px_ = std::min(race.type(14), units / 13.0f * look_.scale);
        button_ =
            std::round(std::clamp(2.4f * px_, look_.margin(), look_.px(36) + extra_px(look_)));
    }

    void draw() {
        register_widget("race.running", card_);
        float y = card_.y + look_.gap() + 1.1f * px_;
        y = draw_state(y);
        if (race_.shown != nullptr) who_ = race_.focus ? race_.focus : leader();
        if (who_) y = draw_focus(y);
        if (race_.shown != nullptr && race_.shown->running)
            draw_progress(y);
        else
            draw_rest(y);
    }

  private:
    [[nodiscard]] float left() const { return card_.x + pad_; }
    [[nodiscard]] float right() const { return card_.right() - look_.pad(); }

    // Without a focused contender: the fastest kernel of ours at the largest size it has run.
    [[nodiscard]] std::optional<std::uint32_t> leader() const {
        const ShownRace& shown = *race_.shown;
        std::optional<std::uint32_t> best;
        double most = 0;
        for (std::uint32_t c = 0; c < race_.contenders().size(); ++c) {
            const auto size = is_reference(race_.contenders()[c])
                                  ? std::nullopt
                                  : largest_size(shown.race, shown.figures, {c});
            if (!size || *shown.figures.median(c, *size) <= most) continue;
            most = *shown.figures.median(c, *size);
            best = c;
        }
        return best;
    }

    std::string state_words() const {
        if (race_.shown == nullptr) return "No race yet";
        const ShownRace& shown = *race_.shown;
        const std::string where = machine_text(shown.race.machine);
        const std::string day = shown.race.date.substr(0, 10);
        if (shown.running && shown.race.recorded) return "As it ran on " + where + ", " + day;
        if (shown.running) return "Running on " + where;
        if (shown.race.recorded) return "Recorded on " + where + ", " + day;
        return (shown.race.complete ? "Raced here: " : "Cut off here: ") + where;
    }

    float draw_state(float y) {
        const Palette& colors = race_.colors();
        const bool running = race_.shown != nullptr && race_.shown->running;
        const bool recorded = race_.shown != nullptr && race_.shown->race.recorded;
        draw_list()->AddCircleFilled({left() + 0.3f * px_, y}, 0.3f * px_,
                                     running    ? colors.accent
                                     : recorded ? colors.wait
                                                : colors.ink3);
        draw_text_fit({left() + px_, y}, right() - left() - px_, state_words(),
                      {Face::kRegular, px_, colors.ink2});
        return y + 1.9f * px_;
    }

    // Draws the focused contender: its last median, and the effect of padding.
    float draw_focus(float y) {
        const Palette& colors = race_.colors();
        const Contender& contender = race_.contenders()[*who_];
        const float title_px = 1.4f * px_;
        const std::string title = title_of(contender);
        const float width =
            std::min(text_width(title, Face::kSemiBold, title_px), right() - left());
        draw_text_fit({left(), y}, width + 1, title, {Face::kSemiBold, title_px, colors.ink});
        const float x = left() + width + px_;
        draw_text_fit({x, y + 0.1f * px_}, std::max(0.0f, right() - x),
                      parameters_text(race_.shown->race.request, *who_),
                      {Face::kRegular, px_, colors.ink3});
        y += 2.7f * px_;
        const auto size = largest_size(race_.shown->race, race_.shown->figures, {*who_});
        const float big = 3.2f * px_;
        if (!size) {
            draw_text({left(), y}, "not measured yet", {Face::kRegular, 1.4f * px_, colors.ink3});
            return y + 2.4f * px_;
        }
        const double median = *race_.shown->figures.median(*who_, *size);
        const float after =
            left() + px_ * 0.8f +
            draw_text({left(), y}, figure_text(median), {Face::kBold, big, colors.accent});
        draw_text({after, y - 0.75f * px_}, "GFLOPS", {Face::kSemiBold, 1.1f * px_, colors.ink});
        const float words =
            draw_text({after, y + 0.75f * px_}, "last median, " + size_text(race_.sizes()[*size]),
                      {Face::kRegular, px_, colors.ink2});
        draw_against(after + words + 2 * px_, y);
        return y + 2.8f * px_;
    }

    void draw_against(float from, float y) {
        const auto counterpart = counterpart_of(race_.shown->race.request, *who_);
        const auto against =
            counterpart ? counterpart : naive_for(race_.shown->race.request, *who_);
        if (!against || *against == *who_) return;
        const auto size = largest_size(race_.shown->race, race_.shown->figures, {*who_, *against});
        if (!size) return;
        const double ratio = *race_.shown->figures.median(*who_, *size) /
                             *race_.shown->figures.median(*against, *size);
        const Contender& other = race_.contenders()[*against];
        std::string words =
            "against " + (counterpart ? "PAD " + std::to_string(other.pad) : title_of(other));
        if (right() - from < text_width(words, Face::kRegular, px_)) return;
        const RaceFigures& figures = race_.shown->figures;
        const bool uncertain = figures.unsteady(*who_, *size) || figures.unsteady(*against, *size);
        draw_text({right(), y - 0.7f * px_}, times_text(ratio),
                  {Face::kBold, 1.9f * px_, race_.colors().ink, Align::kRight});
        if (uncertain) words = "uncertain: machine busy";
        draw_text({right(), y + 0.9f * px_}, words,
                  {Face::kRegular, px_, race_.colors().ink2, Align::kRight});
    }

    // Draws the finished and running sizes, the repeats of the focused contender, and Cancel.
    void draw_progress(float y) {
        const RaceFigures& figures = race_.shown->figures;
        draw_sizes(y);
        y += 2.6f * px_;
        const float bottom = card_.bottom() - look_.px(14) - button_;
        const float width = text_width("Cancel", Face::kSemiBold, look_.font_px(15)) + look_.px(40);
        const Rect button{right() - width, bottom, width, button_};
        const bool cancelling = race_.bench.cancelling();
        const bool can_cancel = !cancelling && !race_.shown->race.recorded;
        if (cancelling)
            register_widget("race.cancelling", button);
        else if (can_cancel &&
                 text_button(look_, "race.cancel", button, "Cancel", false,
                             "Stop after the launch that is running, and keep what was measured"))
            race_.ask(CancelRace{});
        const float share = figures.samples_expected == 0
                                ? 0
                                : static_cast<float>(figures.samples) /
                                      static_cast<float>(figures.samples_expected);
        const float middle = std::max(y, bottom + button_ / 2 - 0.9f * px_);
        std::string words;
        if (figures.running_size) words = size_text(race_.sizes()[*figures.running_size]) + "    ";
        const auto repeats = static_cast<std::uint32_t>(race_.shown->race.request.repeats);
        std::uint32_t done = 0;
        if (figures.running_size && who_)
            done = figures.entries[*who_][*figures.running_size].samples;
        words += "repetition " + std::to_string(std::min(done + 1, repeats)) + " of " +
                 std::to_string(repeats) + "    " + figure_text(100 * share) + " % of the race";
        const float room = (can_cancel ? right() - width - px_ : right()) - left();
        if (cancelling) words = "Cancelling after this launch\xe2\x80\xa6";
        draw_text_fit({left(), middle}, room, words,
                      {cancelling ? Face::kSemiBold : Face::kRegular, px_,
                       cancelling ? race_.colors().ink : race_.colors().ink2});
        const Rect bar{left(), middle + px_, room, 0.7f * px_};
        draw_boxes(bar, done, repeats);
    }

    void draw_boxes(const Rect& bar, std::uint32_t done, std::uint32_t all) {
        const Palette& colors = race_.colors();
        const float pitch = bar.w / static_cast<float>(std::max(all, 1u));
        if (pitch < look_.px(5)) {
            fill_rect(bar, colors.cell, look_.px(3));
            fill_rect({bar.x, bar.y, pitch * static_cast<float>(done), bar.h}, colors.accent,
                      look_.px(3));
            return;
        }
        for (std::uint32_t i = 0; i < all; ++i) {
            const Rect box{bar.x + pitch * static_cast<float>(i), bar.y, pitch - look_.px(3),
                           bar.h};
            fill_rect(box, i < done ? colors.accent : colors.cell, look_.px(2));
            if (i == done) stroke_rect(box, colors.accent, look_.frame(), look_.px(2));
        }
    }

    void draw_sizes(float y) {
        const Palette& colors = race_.colors();
        const RaceFigures& figures = race_.shown->figures;
        float x = left();
        const float height = 1.9f * px_;
        for (std::uint32_t s = 0; s < race_.sizes().size(); ++s) {
            const std::string name = name_of(race_.sizes()[s]);
            const float width = text_width(name, Face::kMono, px_) + 2.6f * px_;
            if (x + width > right()) break;
            const bool running = s == figures.running_size;
            const bool done = !running && figures.running_size && s < *figures.running_size;
            const Rect chip{x, y - height / 2, width, height};
            fill_rect(chip, running ? colors.accent_tint : colors.raised, look_.px(5));
            if (running) stroke_rect(chip, colors.accent, look_.frame(), look_.px(5));
            if (running || done)
                draw_icon(running ? Icon::kPlay : Icon::kDone, {x + px_, y}, 0.75f * px_,
                          running ? colors.accent : colors.c, look_.hair());
            draw_text(
                {chip.right() - 0.6f * px_, y}, name,
                {Face::kMono, px_, done || running ? colors.ink : colors.ink3, Align::kRight});
            x += width + look_.gap();
        }
    }

    // Draws a description of the next race, and the buttons.
    void draw_rest(float y) {
        const float bottom = card_.bottom() - look_.px(14) - button_;
        draw_paragraph_within(y, bottom - look_.snug());
        const float px = look_.font_px(15);
        struct Button {
            const char *name, *label, *tip;
            std::optional<RaceExport> save;  // nullopt: the button starts a race
        };
        const bool can = !race_.bench.looked_for_device() || race_.bench.machine() != nullptr;
        std::vector<Button> buttons;
        if (can)
            buttons.push_back({"race.start", "Race here",
                               "Race the chosen kernels on this computer (Enter)", std::nullopt});
        if (race_.shown != nullptr) {
            buttons.push_back({"race.save", "Save", "Save this race as a file", RaceExport::kFile});
            buttons.push_back({"race.csv", "CSV", "Every sample as a table", RaceExport::kTable});
            buttons.push_back({"race.png", "PNG", "This view as a picture", RaceExport::kPicture});
        }
        float wanted = 0;
        for (const Button& button : buttons)
            wanted += text_width(button.label, Face::kSemiBold, px) + look_.px(28 + 8);
        const float squeeze = std::min(1.0f, (right() - left()) / std::max(1.0f, wanted));
        float x = left();
        for (const Button& button : buttons) {
            const float width =
                squeeze * (text_width(button.label, Face::kSemiBold, px) + look_.px(28));
            if (text_button(look_, button.name, {x, bottom, width, button_}, button.label, false,
                            button.tip)) {
                if (!button.save)
                    race_.ask(StartRace{});
                else if (race_.memory != nullptr)
                    open_save_dialog(*race_.memory, race_.bench, *button.save);
            }
            x += width + squeeze * look_.gap();
        }
    }

    // Descriptions of the next race, longest first. The first one that fits is drawn.
    [[nodiscard]] std::vector<std::string> rest_words() const {
        const RaceRequest& next = race_.bench.next();
        if (!race_.bench.looked_for_device()) return {"Looking for a device to race on."};
        if (race_.bench.machine() == nullptr) {
            const std::string fault = as_sentence(race_.bench.device_fault());
            if (race_.shown != nullptr) return {fault};
            return {fault + " Recorded races open at the top.", fault};
        }
        const auto count = [](std::size_t n, const char* one) {
            return std::to_string(n) + " " + one + (n == 1 ? "" : "s");
        };
        const std::string what = count(next.contenders.size(), "contender") + ", " +
                                 count(next.sizes.size(), "size") + ", " +
                                 count(static_cast<std::size_t>(next.repeats), "repeat") + ", " +
                                 (next.caches == Caches::kCold ? "cold caches." : "warm caches.");
        const std::string all = "Next, on " + machine_text(*race_.bench.machine()) + ": " + what;
        std::vector<std::string> words = {all, "Next: " + what};
        if (!race_.bench.why_no_gpu().empty())
            words.insert(words.begin(), all + " " + as_sentence(race_.bench.why_no_gpu()));
        return words;
    }

    void draw_paragraph_within(float y, float bottom) {
        constexpr float kLeading = 1.4f;
        for (const std::string& words : rest_words()) {
            const auto lines = wrap_text(words, right() - left(), Face::kRegular, px_);
            const auto between = static_cast<float>(lines.size() - 1);
            if (y + between * kLeading * px_ + 0.7f * px_ > bottom) continue;
            return draw_lines({left(), y}, lines, {Face::kRegular, px_, race_.colors().ink2},
                              kLeading * px_);
        }
    }

    const RaceContext& race_;
    const Look& look_;
    Rect card_;
    std::optional<std::uint32_t> who_;  // the contender whose figures are large
    float pad_ = 0, px_ = 0, button_ = 0;
};

}  // namespace

void draw_race_running(const RaceContext& race, const Rect& card) {
    RunningCard(race, card).draw();
}

}  // namespace tilereel

// A card with the running race, or the origin of the shown race, and its buttons.
#include <algorithm>
#include <array>

#include "app/panels/paragraph.h"
#include "app/panels/race/race_views.h"
#include "app/panels/wrap_row.h"
#include "app/replay/sentence/wording.h"
#include "app/ui/widgets/scroll_bar.h"

namespace tilereel {
namespace {

struct RaceButton {
    const char *name, *label, *tip;
    std::optional<RaceExport> save{};  // nullopt: the button starts a race
};
constexpr RaceButton kStart{"race.start", "Race here",
                            "Race the chosen kernels on this computer (Enter)"};
constexpr RaceButton kStartOwn{"race.own.start", "Race it (R)",
                               "Race the kernel of the program that is open"};
constexpr std::array<RaceButton, 3> kSaves = {
    {{"race.save", "Save", "Save this race as a file", RaceExport::kFile},
     {"race.csv", "CSV", "Every sample as a table", RaceExport::kTable},
     {"race.png", "PNG", "This view as a picture", RaceExport::kPicture}}};

class RunningCard : public Column {
  public:
    RunningCard(const RaceContext& race, const Rect& room) : Column(race.look, room), race_(race) {}

    float draw() {
        draw_state();
        if (race_.shown != nullptr) who_ = race_.focus ? race_.focus : leader();
        if (who_) draw_focus();
        if (race_.shown != nullptr && race_.shown->running)
            draw_progress();
        else if (race_.bench.preparing())
            draw_preparing();
        else
            draw_rest();
        return height();
    }

  private:
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

    void draw_state() {
        const Palette& colors = race_.colors();
        const bool running = race_.shown != nullptr && race_.shown->running;
        const bool recorded = race_.shown != nullptr && race_.shown->race.recorded;
        if (!measures())
            draw_list()->AddCircleFilled({rect_.x + 0.3f * px_, y_ + 0.7f * px_}, 0.3f * px_,
                                         running    ? colors.accent
                                         : recorded ? colors.wait
                                                    : colors.ink3);
        paragraph(state_words(), Face::kRegular, colors.ink2, px_);
    }

    // The focused contender: its last median, and the effect of padding.
    void draw_focus() {
        const Palette& colors = race_.colors();
        const RaceRequest& request = race_.shown->race.request;
        styled({{title_of(race_.contenders()[*who_]), Face::kSemiBold, colors.ink, 1.4f * px_},
                {"   " + parameters_text(request, *who_), Face::kRegular, colors.ink3}},
               px_);
        const auto size = largest_size(race_.shown->race, race_.shown->figures, {*who_});
        if (!size) return paragraph("Not measured yet.", Face::kRegular, colors.ink2);
        const double median = *race_.shown->figures.median(*who_, *size);
        styled({{figure_text(median), Face::kBold, colors.accent, 2.6f * px_},
                {std::string("  ") + race_.unit(), Face::kSemiBold, colors.ink, 1.1f * px_},
                {"  last median, " + size_text(race_.sizes()[*size]), Face::kRegular, colors.ink2}},
               px_);
        draw_against();
    }

    void draw_against() {
        const RaceFigures& figures = race_.shown->figures;
        const auto counterpart = counterpart_of(race_.shown->race.request, *who_);
        const auto against =
            counterpart ? counterpart : naive_for(race_.shown->race.request, *who_);
        if (!against || *against == *who_) return;
        const auto size = largest_size(race_.shown->race, figures, {*who_, *against});
        if (!size) return;
        const Contender& other = race_.contenders()[*against];
        const bool uncertain = figures.unsteady(*who_, *size) || figures.unsteady(*against, *size);
        styled(
            {{times_text(*figures.median(*who_, *size) / *figures.median(*against, *size)),
              Face::kBold, race_.colors().ink, 1.4f * px_},
             {"  against " + (counterpart ? "PAD " + std::to_string(other.pad) : title_of(other)) +
                  (uncertain ? "; uncertain: machine busy" : ""),
              Face::kRegular, race_.colors().ink2}},
            px_);
    }

    // The finished and running sizes, the contender that runs with its repeats, and Cancel.
    void draw_progress() {
        const RaceFigures& figures = race_.shown->figures;
        draw_sizes();
        const auto repeats = static_cast<std::uint32_t>(race_.shown->race.request.repeats);
        const auto& now = figures.now;
        const std::uint32_t done = now && now->doing == RaceNow::Doing::kSamples ? now->repeat : 0;
        const float share = static_cast<float>(figures.samples) /
                            static_cast<float>(std::max<std::size_t>(figures.samples_expected, 1));
        const bool cancelling = race_.bench.cancelling();
        const std::string words = now ? now_words(race_) + "; " : std::string();
        paragraph(cancelling ? std::string("Cancelling after this launch\xe2\x80\xa6")
                             : words + figure_text(100 * share) + " % of the race",
                  {cancelling ? Face::kSemiBold : Face::kRegular, px_, race_.colors().ink2});
        row(px_, [&](const Rect& bar) {
            draw_repeats(look_, {bar.x, bar.y, bar.w, 0.7f * px_}, done, repeats,
                         race_.colors().accent);
        });
        if (race_.strip || race_.shown->race.recorded) return;
        row(button_height(), [&](const Rect& place) { draw_cancel(place); });
    }

    // The race was asked for and has not begun.
    void draw_preparing() {
        register_widget("race.preparing", {rect_.x, y_, rect_.w, px_});
        paragraph(race_.bench.cancelling()      ? "Cancelling\xe2\x80\xa6"
                  : race_.bench.stage().empty() ? "Preparing the race\xe2\x80\xa6"
                                                : race_.bench.stage() + "\xe2\x80\xa6",
                  {Face::kSemiBold, px_, race_.colors().ink});
        if (!race_.strip) row(button_height(), [&](const Rect& place) { draw_cancel(place); });
    }

    // At the right end, so that a second click does not meet "Race here" at the left end.
    void draw_cancel(const Rect& place) {
        const float width = tilereel::button_width(look_, "Cancel (Esc)");
        const Rect button{place.right() - width, place.y, width, place.h};
        if (race_.bench.cancelling())
            register_widget("race.cancelling", button);
        else if (text_button(look_, "race.cancel", button, "Cancel (Esc)", false,
                             "Stop after the launch that is running, and keep what was measured")) {
            race_.guard_cancel(button);
            race_.ask(CancelRace{});
        }
    }

    void draw_sizes() {
        const Palette& colors = race_.colors();
        const auto& at = race_.shown->figures.running_size;
        WrapRow row({rect_.x, y_, rect_.w, 0}, 1.9f * px_, look_.tight(), look_.gap());
        for (std::uint32_t s = 0; s < race_.sizes().size(); ++s) {
            const std::string name = size_words(race_.sizes()[s]);
            const Rect chip = row.next(text_width(name, Face::kMono, px_) + 2.6f * px_);
            const bool running = s == at, done = at && s < *at;
            if (measures()) continue;
            draw_box(chip, running ? colors.accent_tint : colors.raised,
                     running ? colors.accent : colors.raised, look_.frame(), look_.corner());
            if (running || done)
                draw_icon(running ? Icon::kPlay : Icon::kDone, {chip.x + px_, chip.center().y},
                          0.75f * px_, running ? colors.accent : colors.c, look_.hair());
            draw_text(
                {chip.right() - 0.6f * px_, chip.center().y}, name,
                {Face::kMono, px_, done || running ? colors.ink : colors.ink3, Align::kRight});
        }
        y_ = row.bottom() + look_.tight();
    }

    // A description of the next race, and the buttons.
    void draw_rest() {
        paragraph(rest_words(), Face::kRegular, race_.colors().ink2);
        space(look_.gap());
        WrapRow row({rect_.x, y_, rect_.w, 0}, button_height(), look_.gap(), look_.gap());
        const auto add = [&](const RaceButton& button) {
            if (!text_button(look_, button.name,
                             row.next(tilereel::button_width(look_, button.label)), button.label,
                             false, button.tip) ||
                race_.guards_cancel())
                return;
            if (button.name == kStartOwn.name)
                race_.ask(RaceOwn{});
            else if (!button.save)
                race_.ask(StartRace{});
            else if (race_.memory != nullptr)
                open_save_dialog(*race_.memory, race_.bench, *button.save);
        };
        const bool can = !race_.bench.looked_for_device() || race_.bench.machine() != nullptr;
        if (can && !race_.strip) add(kStart);
        if (can && race_.bench.own() != nullptr) add(kStartOwn);
        if (race_.shown != nullptr)
            for (const RaceButton& button : kSaves) add(button);
        y_ = row.bottom();
    }

    [[nodiscard]] std::string rest_words() const {
        const RaceRequest& next = race_.bench.next();
        if (!race_.bench.looked_for_device()) return "Looking for a device to race on.";
        if (race_.bench.machine() == nullptr)
            return as_sentence(race_.bench.device_fault()) +
                   (race_.shown != nullptr ? "" : " Recorded races open at the top.");
        const std::string no_gpu = race_.bench.why_no_gpu();
        return "Next, on " + machine_text(*race_.bench.machine()) + ": " +
               counted(next.contenders.size(), "contender", "contenders") + ", " +
               counted(next.sizes.size(), "size", "sizes") + ", " +
               counted(static_cast<std::uint64_t>(next.repeats), "repeat", "repeats") + ", " +
               (next.caches == Caches::kCold ? "cold caches." : "warm caches.") +
               (no_gpu.empty() ? "" : " " + as_sentence(no_gpu));
    }

    [[nodiscard]] float button_height() const { return look_.px(36) + extra_px(look_); }

    const RaceContext& race_;
    std::optional<std::uint32_t> who_;  // the contender whose figures are large
};

}  // namespace

void draw_repeats(const Look& look, const Rect& place, std::uint32_t done, std::uint32_t all,
                  ImU32 color) {
    const Palette& colors = look.colors();
    const float pitch = place.w / static_cast<float>(std::max(all, 1u));
    if (pitch < look.px(5))
        return draw_share(place, static_cast<float>(done) / static_cast<float>(all), colors.cell,
                          color, look.hair());
    for (std::uint32_t i = 0; i < all; ++i)
        draw_box({place.x + pitch * static_cast<float>(i), place.y, pitch - look.hair(), place.h},
                 i < done ? color : colors.cell, i < done ? color : mix(colors.panel, color, 0.5f),
                 look.line(), look.hair());
}

float draw_race_running(const RaceContext& race, const Rect& card, float& scroll) {
    const Rect room = inside_card(race.look, card);
    if (!measures()) register_widget("race.running", card);
    return scrolled(race.look, room, scroll,
                    [&](const Rect& place) { return RunningCard(race, place).draw(); }) +
           card.h - room.h;
}

}  // namespace tilereel

// The row below the views of the Race mode where only one view fits.
#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/race/race_views.h"
#include "app/replay/sentence/wording.h"

namespace tilereel {
namespace {

std::string progress_words(const RaceContext& race) {
    if (race.bench.cancelling()) return "Cancelling after this launch\xe2\x80\xa6";
    if (race.shown == nullptr || !race.shown->running)
        return (race.bench.stage().empty() ? "Preparing the race" : race.bench.stage()) +
               "\xe2\x80\xa6";
    const RaceFigures& figures = race.shown->figures;
    const auto all = std::max<std::size_t>(figures.samples_expected, 1);
    std::string words = now_words(race);
    if (figures.now) words += "; " + size_text(race.sizes()[figures.now->size]) + "; ";
    return words + std::to_string(100 * figures.samples / all) + " %";
}

std::string next_words(const RaceBench& bench) {
    const RaceRequest& next = bench.next();
    if (!bench.looked_for_device()) return "Looking for a device to race on";
    if (bench.machine() == nullptr) return bench.device_fault();
    return counted(next.contenders.size(), "contender", "contenders") + ", " +
           counted(next.sizes.size(), "size", "sizes") + " on " + machine_text(*bench.machine());
}

}  // namespace

float race_strip_height(const Look& look) {
    return std::round(look.px(36) + extra_px(look) + look.pad());
}

void draw_race_strip(const RaceContext& race, const Rect& rect) {
    const Look& look = race.look;
    draw_card(look, rect);
    register_widget("race.strip", rect);
    const Rect inner = rect.inset(look.gap());
    const float px = race.type(14);
    const bool running = race.shown != nullptr && race.shown->running;
    const auto words = [&](const Rect& place, const std::string& text) {
        draw_text_fit({place.x, place.center().y}, place.w, text,
                      {Face::kRegular, px, race.colors().ink2});
    };
    if (!running && !race.bench.preparing()) {
        const bool can = !race.bench.looked_for_device() || race.bench.machine() != nullptr;
        const float width = can ? button_width(look, "Race here") : 0;
        if (can &&
            text_button(look, "race.start", {inner.x, inner.y, width, inner.h}, "Race here", false,
                        "Race the chosen kernels on this computer (Enter)") &&
            !race.guards_cancel())
            race.ask(StartRace{});
        const float left = can ? inner.x + width + look.wide() : inner.x;
        return words({left, inner.y, inner.right() - left, inner.h}, next_words(race.bench));
    }
    // At the right end, so that a second click does not meet "Race here".
    const float width = button_width(look, "Cancel (Esc)");
    const Rect button{inner.right() - width, inner.y, width, inner.h};
    if (race.bench.cancelling())
        register_widget("race.cancelling", button);
    else if ((!running || !race.shown->race.recorded) &&
             text_button(look, "race.cancel", button, "Cancel (Esc)", false,
                         "Stop after the launch that is running, and keep what was measured")) {
        race.guard_cancel(button);
        race.ask(CancelRace{});
    }
    if (running) {
        const RaceFigures& figures = race.shown->figures;
        const auto all = std::max<std::size_t>(figures.samples_expected, 1);
        draw_share({rect.x + look.gap(), rect.bottom() - look.tight(), rect.w - 2 * look.gap(),
                    look.hair()},
                   static_cast<float>(figures.samples) / static_cast<float>(all),
                   race.colors().cell, race.colors().accent, look.hair());
    }
    words({inner.x, inner.y, button.x - look.wide() - inner.x, inner.h}, progress_words(race));
}

}  // namespace tilereel

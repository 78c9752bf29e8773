// The settings of the next race: kernels with TILE and PAD, sizes, repeats, caches.
#include <algorithm>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/race/own_section.h"
#include "app/panels/race/race_views.h"
#include "app/panels/wrap_row.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr int kRepeatSteps[] = {1, 3, 5, 7, 10, 15, 25, 50};

class Setup : public Column {
  public:
    Setup(const RaceContext& race, const Rect& room)
        : Column(race.look, room), race_(race), chip_(std::round(2 * px_)) {}

    float draw() {
        if (race_.bench.own() != nullptr)
            y_ += draw_race_own(race_, {rect_.x, y_, rect_.w, rect_.h});
        draw_sizes();
        draw_repeats_and_caches();
        draw_kernels();
        return height();
    }

  private:
    [[nodiscard]] const RaceRequest& next() const { return race_.bench.next(); }
    [[nodiscard]] bool gpu() const { return race_.bench.machine()->gpu; }

    void caption(const char* text) {
        Column::caption(text, {Face::kRegular, px_, race_.colors().ink3}, 0.8f * px_, 1.7f * px_);
    }
    // A row of switches at the current height, `left` pixels from the left edge.
    [[nodiscard]] WrapRow chips(float left = 0) const {
        return {{rect_.x + left, y_, rect_.w - left, 0}, chip_, look_.tight(), look_.snug()};
    }
    void end_row(const WrapRow& row) { y_ = row.bottom() + look_.snug(); }

    // Draws a switch. Returns true when clicked.
    bool chip(WrapRow& row, const std::string& name, const std::string& label, bool on,
              std::string_view tip) {
        const float width = text_width(label, Face::kSemiBold, px_) + 1.2f * px_;
        return toggle_button(look_, name, row.next(width), label, px_, on, tip);
    }

    void draw_sizes() {
        caption("sizes, M = N = K");
        WrapRow row = chips();
        std::vector<ProductSize> offered = sizes_offered(gpu());
        for (const ProductSize& size : next().sizes)
            if (std::ranges::find(offered, size) == offered.end()) offered.push_back(size);
        for (const ProductSize& size : offered) {
            const bool on = std::ranges::count(next().sizes, size) > 0;
            if (chip(row, "race.setup.size." + name_of(size), size_words(size), on,
                     on ? "Leave this size out" : "Race at this size"))
                race_.ask(ToggleSize{size});
        }
        // Sizes that are not multiples of 16. With a larger TILE than 8, only kernels for any size
        // and the reference run them.
        for (const ProductSize& size :
             {ProductSize{1000, 1000, 1000}, ProductSize{1000, 3000, 700}}) {
            if (std::ranges::count(next().sizes, size) > 0) continue;
            if (!gpu() && flops(size) > 2.1e9) continue;
            if (chip(row, "race.setup.size." + name_of(size), size_words(size), false,
                     "Not a multiple of 16: most kernels with TILE 16 or more leave it out"))
                race_.ask(ToggleSize{size});
        }
        end_row(row);
    }

    void draw_repeats_and_caches() {
        caption("repeats; caches at each launch");
        WrapRow row = chips();
        const auto step = [&](int direction) {
            const int now = next().repeats;
            const auto* above = std::ranges::upper_bound(kRepeatSteps, now);
            if (direction > 0) return above == std::end(kRepeatSteps) ? now : *above;
            const auto* at = std::ranges::lower_bound(kRepeatSteps, now);
            return at == std::begin(kRepeatSteps) ? now : *(at - 1);
        };
        if (chip(row, "race.setup.fewer", "\xe2\x88\x92", false, "Fewer repeats"))
            race_.ask(SetRepeats{step(-1)});
        const std::string repeats = std::to_string(next().repeats);
        const Rect figure = row.next(2.4f * px_ - look_.snug());
        draw_text({figure.x + 1.2f * px_, figure.center().y}, repeats,
                  {Face::kMonoBold, px_, race_.colors().ink, Align::kCenter});
        if (chip(row, "race.setup.more", "+", false, "More repeats"))
            race_.ask(SetRepeats{step(+1)});
        row.skip(px_);
        const bool cold = next().caches == Caches::kCold;
        if (chip(row, "race.setup.cold", "cold", cold,
                 "Other matrices each time, so that nothing is left in the L2"))
            race_.ask(SetCaches{Caches::kCold});
        if (chip(row, "race.setup.warm", "warm", !cold, "The same matrices each time"))
            race_.ask(SetCaches{Caches::kWarm});
        end_row(row);
    }

    void draw_kernels() {
        caption("kernels: TILE + PAD");
        WrapRow row = chips();
        if (chip(row, "race.setup.few", "a few", false, "The kernels that a race opens with"))
            race_.ask(ChooseContenders{first_request(gpu()).contenders});
        if (chip(row, "race.setup.ladder", "the whole ladder", false,
                 "Every kernel that takes these sizes, with TILE 32 or the nearest"))
            race_.ask(ChooseContenders{ladder_of(next(), gpu())});
        end_row(row);
        const float titles = widest(contenders_offered(gpu()), Face::kRegular, px_,
                                    [](const Contender& contender) { return title_of(contender); });
        const float left = std::min(titles + px_, 0.5f * rect_.w);
        std::string kernel;
        for (const Contender& contender : contenders_offered(gpu())) {
            if (contender.kernel != kernel) {
                if (!kernel.empty()) end_row(row);
                kernel = contender.kernel;
                draw_text_fit({rect_.x, y_ + chip_ / 2}, left - look_.snug(), title_of(contender),
                              {Face::kRegular, px_, race_.colors().ink2});
                row = chips(left);
            }
            std::string label = "on", name = "race.setup." + kernel;
            if (!is_reference(contender)) {
                label = std::to_string(contender.tile);
                if (contender.pad > 0) label += "+" + std::to_string(contender.pad);
                name += "." + std::to_string(contender.tile) + "." + std::to_string(contender.pad);
            }
            const bool on = std::ranges::count(next().contenders, contender) > 0;
            if (chip(row, name, label, on, on ? "Leave it out" : "Race it"))
                race_.ask(ToggleContender{contender});
        }
        end_row(row);
    }

    const RaceContext& race_;
    const float chip_;
};

}  // namespace

void draw_race_setup(const RaceContext& race, const Rect& card, float& scroll) {
    const RaceMachine* machine = race.bench.machine();
    const CardTitle title =
        draw_race_title(race, card, "Next race", machine == nullptr ? "" : machine_text(*machine));
    if (machine == nullptr && race.bench.own() == nullptr) {
        const std::string words = race.bench.looked_for_device()
                                      ? as_sentence(race.bench.device_fault())
                                      : "Looking for a device to race on.";
        draw_paragraph(title.room.min(), title.room.w, words,
                       {Face::kRegular, race.type(14), race.colors().ink2});
        return;
    }
    if (machine == nullptr) {
        scrolled(race.look, title.room, scroll,
                 [&](const Rect& place) { return draw_race_own(race, place); });
        return;
    }
    register_widget("race.setup", title.room);
    scrolled(race.look, title.room, scroll,
             [&](const Rect& place) { return Setup(race, place).draw(); });
}

}  // namespace tilereel

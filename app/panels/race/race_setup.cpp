// The settings of the next race: kernels with TILE and PAD, sizes, repeats, caches.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/race/race_views.h"
#include "app/ui/scroll_bar.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr int kRepeatSteps[] = {1, 3, 5, 7, 10, 15, 25, 50};

class Setup {
  public:
    Setup(const RaceContext& race, const Rect& room, float& scroll)
        : race_(race), look_(race.look), room_(room), scroll_(scroll) {
        px_ = race.type(14);
        chip_ = std::round(2 * px_);
    }

    void draw() {
        register_widget("race.setup", room_);
        ImGui::PushClipRect(room_.min(), room_.max(), true);
        y_ = room_.y - std::max(0.0f, scroll_);
        draw_sizes();
        draw_terms();
        draw_kernels();
        ImGui::PopClipRect();
        scroll_in(look_, room_, y_ + scroll_ - room_.y, scroll_);
    }

  private:
    [[nodiscard]] const RaceRequest& next() const { return race_.bench.next(); }
    [[nodiscard]] bool gpu() const { return race_.bench.machine()->gpu; }

    void caption(const char* text) {
        draw_text({room_.x, y_ + 0.8f * px_}, text, {Face::kRegular, px_, race_.colors().ink3});
        y_ += 1.7f * px_;
    }

    // Draws a switch, on the next line if it does not fit. Returns true when clicked.
    bool chip(float& x, const std::string& name, const std::string& label, bool on,
              std::string_view tip) {
        const float width = text_width(label, Face::kSemiBold, px_) + 1.2f * px_;
        if (x > room_.x + left_ && x + width > room_.right()) {
            x = room_.x + left_;
            y_ += chip_ + look_.tight();
        }
        const Rect box{x, y_, width, chip_};
        x += width + look_.snug();
        return toggle_button(look_, name, box, label, px_, on, tip);
    }
    void next_row() { y_ += chip_ + look_.snug(); }

    void draw_sizes() {
        caption("sizes, M = N = K");
        left_ = 0;
        float x = room_.x;
        std::vector<ProductSize> offered = sizes_offered(gpu());
        for (const ProductSize& size : next().sizes)
            if (std::ranges::find(offered, size) == offered.end()) offered.push_back(size);
        for (const ProductSize& size : offered) {
            const bool on = std::ranges::find(next().sizes, size) != next().sizes.end();
            if (chip(x, "race.setup.size." + name_of(size), name_of(size), on,
                     on ? "Leave this size out" : "Race at this size"))
                race_.ask(ToggleSize{size});
        }
        // Sizes that are not multiples of any TILE. Only kernels for any size and the reference run
        // them.
        for (const ProductSize& size :
             {ProductSize{1000, 1000, 1000}, ProductSize{1000, 3000, 700}}) {
            if (std::ranges::find(next().sizes, size) != next().sizes.end()) continue;
            if (!gpu() && flops(size) > 2.1e9) continue;
            if (chip(x, "race.setup.size." + name_of(size), name_of(size), false,
                     "A size that no TILE divides"))
                race_.ask(ToggleSize{size});
        }
        next_row();
    }

    void draw_terms() {
        caption("repeats; between two launches the caches are");
        left_ = 0;
        float x = room_.x;
        const auto step = [&](int direction) {
            const int now = next().repeats;
            const auto* above = std::ranges::upper_bound(kRepeatSteps, now);
            if (direction > 0) return above == std::end(kRepeatSteps) ? now : *above;
            const auto* at = std::ranges::lower_bound(kRepeatSteps, now);
            return at == std::begin(kRepeatSteps) ? now : *(at - 1);
        };
        if (chip(x, "race.setup.fewer", "\xe2\x88\x92", false, "Fewer repeats"))
            race_.ask(SetRepeats{step(-1)});
        const std::string repeats = std::to_string(next().repeats);
        draw_text({x + 1.2f * px_, y_ + chip_ / 2}, repeats,
                  {Face::kMonoBold, px_, race_.colors().ink, Align::kCenter});
        x += 2.4f * px_;
        if (chip(x, "race.setup.more", "+", false, "More repeats")) race_.ask(SetRepeats{step(+1)});
        x += px_;
        const bool cold = next().caches == Caches::kCold;
        if (chip(x, "race.setup.cold", "cold", cold,
                 "Other matrices each time, so that nothing is left in the L2"))
            race_.ask(SetCaches{Caches::kCold});
        if (chip(x, "race.setup.warm", "warm", !cold, "The same matrices each time"))
            race_.ask(SetCaches{Caches::kWarm});
        next_row();
    }

    void draw_kernels() {
        caption("kernels: TILE + PAD");
        left_ = 0;
        float x = room_.x;
        if (chip(x, "race.setup.few", "a few", false, "The kernels that a race opens with"))
            race_.ask(ChooseContenders{first_request(gpu()).contenders});
        if (chip(x, "race.setup.ladder", "the whole ladder", false,
                 "Every kernel that takes these sizes, with TILE 32 or the nearest"))
            race_.ask(ChooseContenders{ladder_of(next(), gpu())});
        next_row();
        left_ = 0;
        for (const Contender& contender : contenders_offered(gpu()))
            left_ = std::max(left_, text_width(title_of(contender), Face::kRegular, px_));
        left_ = std::min(left_ + px_, 0.5f * room_.w);
        std::string kernel;
        for (const Contender& contender : contenders_offered(gpu())) {
            if (contender.kernel != kernel) {
                if (!kernel.empty()) next_row();
                kernel = contender.kernel;
                draw_text_fit({room_.x, y_ + chip_ / 2}, left_ - look_.snug(), title_of(contender),
                              {Face::kRegular, px_, race_.colors().ink2});
                x = room_.x + left_;
            }
            std::string label = "on", name = "race.setup." + kernel;
            if (!is_reference(contender)) {
                label = std::to_string(contender.tile);
                if (contender.pad > 0) label += "+" + std::to_string(contender.pad);
                name += "." + std::to_string(contender.tile) + "." + std::to_string(contender.pad);
            }
            const bool on =
                std::ranges::find(next().contenders, contender) != next().contenders.end();
            if (chip(x, name, label, on, on ? "Leave it out" : "Race it"))
                race_.ask(ToggleContender{contender});
        }
        next_row();
    }

    const RaceContext& race_;
    const Look& look_;
    Rect room_;
    float& scroll_;
    float px_ = 14, chip_ = 28, y_ = 0, left_ = 0;
};

}  // namespace

void draw_race_setup(const RaceContext& race, const Rect& card, float& scroll) {
    const Look& look = race.look;
    const RaceMachine* machine = race.bench.machine();
    const float top =
        draw_race_title(race, card, "Next race", machine == nullptr ? "" : machine_text(*machine));
    const float pad = look.margin();
    const Rect room{card.x + pad, top, card.w - 2 * pad, card.bottom() - top - look.gap()};
    if (machine == nullptr) {
        const std::string words = race.bench.looked_for_device()
                                      ? as_sentence(race.bench.device_fault())
                                      : "Looking for a device to race on.";
        draw_paragraph(room.min(), room.w, words,
                       {Face::kRegular, race.type(14), race.colors().ink2});
        return;
    }
    Setup(race, room, scroll).draw();
}

}  // namespace tilereel

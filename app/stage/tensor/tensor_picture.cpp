#include "app/stage/tensor/tensor_picture.h"

#include <algorithm>

#include "app/stage/scene.h"
#include "app/stage/tensor/draw_fragment.h"
#include "app/stage/tensor/tensor_head.h"
#include "app/stage/tensor/tensor_layout.h"
#include "app/stage/tensor/warpgroup_picture.h"
#include "app/stage/tensor/wavefront_flight.h"
#include "app/ui/draw/wrap_text.h"
#include "app/ui/widgets/tip.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/trace/fragments/instruction_parts.h"

namespace tilereel::stage {
namespace {

constexpr double kLightSeconds = 0.24;
constexpr double kFlightShare = 0.8;  // of the time of a wavefront; in the rest a product lights up
constexpr double kFastest = 8;        // from this speed on nothing flies

std::optional<TensorMoment> moment_of(const Workbench& workbench) {
    const Replay* const replay = workbench.replay();
    if (replay == nullptr || !shows_stage(workbench)) return std::nullopt;
    const WatchedThread& thread = workbench.watched_thread();
    return tensor_moment(*replay, thread.chosen_warp(), thread.lane(),
                         workbench.view().tensor_product);
}

// How far the wavefront's pieces have flown, and how much of the product is lit.
void find_motion(TensorScene& scene, const StageView& view) {
    const TensorMoment& moment = scene.moment;
    const ReplayState& state = scene.replay.state();
    scene.wavefront = state.request.wavefront;
    if (!moment.is_request) {
        scene.lit = moment.computes ? 1 : 0;
        return;
    }
    const Step& step = scene.replay.schedule().steps[moment.step];
    const std::uint32_t wavefronts =
        std::max(1u, state.request.cost.wavefronts + state.request.cost.lines);
    const bool last = moment.at_last_wavefront;
    const Workbench& workbench = scene.workbench;
    const bool animated =
        workbench.view().motion && !workbench.scrubbing() && workbench.speed() < kFastest;
    if (!animated) {
        scene.lit = moment.computes && last ? 1 : 0;
        return;
    }
    const double served = (workbench.position() - static_cast<double>(step.begin)) * wavefronts /
                          static_cast<double>(step.ticks);
    // After a jump into the wavefront, all has landed.
    const double begun = static_cast<double>(step.begin) +
                         static_cast<double>(scene.wavefront) * step.ticks / wavefronts;
    const bool came_by_moving = workbench.moved_from() < begun;
    double share = came_by_moving ? std::clamp(served - scene.wavefront, 0.0, 1.0) : 1;
    if (!workbench.moving()) {
        const double rested =
            std::clamp(view.settled_seconds / (kRunOutSeconds + kLightSeconds), 0.0, 1.0);
        share = std::max(share, rested);
    }
    const bool has_flight = !moment.matrices.empty();
    const double flight = has_flight ? kFlightShare : 0;
    scene.progress = has_flight ? static_cast<float>(std::min(1.0, share / flight)) : 1;
    scene.flies = scene.progress < 1;
    if (moment.computes && last && !scene.flies)
        scene.lit = static_cast<float>(std::clamp((share - flight) / (1 - flight), 0.01, 1.0));
}

class TensorPicture {
  public:
    TensorPicture(TensorScene& scene, const Rect& rect)
        : scene_(scene), colors_(scene.colors()), room_(rect.inset(scene.look.pad())) {
        for (const HeldFragment& held : scene.moment.fragments) texts_.push_back(texts_of(held));
        layout_ = layout_tensor(scene, texts_, room_, large());
        if (layout_.slots.w > 0) slots_ = place_slots(scene, layout_.slots);
    }

    void draw() {
        point();
        head();
        if (layout_.slots.w > 0) draw_slots(scene_, slots_);
        if (layout_.words.h > 0) words();
        for (std::size_t i = 0; i < layout_.places.size(); ++i) fragment(i);
        if (!scene_.moment.matrices.empty()) draw_wavefront_flight(scene_, slots_, layout_.places);
        if (layout_.legend.h > 0) legend();
        if (!tip_.empty()) draw_tip(scene_.look, tip_at_, tip_);
    }

  private:
    // The fragment that the user has enlarged, else that of the request.
    [[nodiscard]] std::size_t large() const {
        if (scene_.workbench.view().large_fragment)
            return *scene_.workbench.view().large_fragment % scene_.moment.fragments.size();
        for (std::size_t i = 0; i < scene_.moment.fragments.size(); ++i)
            if (scene_.moment.fragments[i].touched) return i;
        return 0;
    }
    [[nodiscard]] bool is_small(std::size_t i) const {
        return layout_.large && i != *layout_.large;
    }
    [[nodiscard]] std::string name_of(std::size_t i) const {
        if (!scene_.moment.product) return "matrices";
        return i == 0 ? "a" : i == 1 ? "b" : "c";
    }

    // Finds what is under the pointer, and reacts to clicks.
    void point() {
        for (std::size_t i = 0; i < layout_.places.size(); ++i) {
            const FragmentPlace& place = layout_.places[i];
            const Rect area = is_small(i) ? place.all : place.window;
            const Interaction touch = interact(scene_.look, "stage.tensor." + name_of(i), area, "");
            if (!touch.hovered) continue;
            if (is_small(i)) {
                tip_ = "Show it large (M)";
                tip_at_ = place.window;
                if (touch.clicked)
                    scene_.commands.push_back(EnlargeFragment{static_cast<std::uint32_t>(i)});
            }
            const auto cell = cell_at(scene_, place, ImGui::GetIO().MousePos);
            if (!cell || is_small(i)) continue;
            const FragmentCell& its = scene_.moment.fragments[i].grid.cells[*cell];
            scene_.pointed = its.lane;
            tip_ = cell_text(scene_, place, *cell);
            tip_at_ = place.cell(its);
            if (touch.clicked)
                scene_.commands.push_back(ChooseLane{static_cast<std::uint32_t>(its.lane)});
        }
        if (layout_.slots.w <= 0) return;
        const Interaction touch = interact(scene_.look, "stage.tensor.slots", slots_.grid, "");
        const auto piece = piece_at(slots_, ImGui::GetIO().MousePos);
        if (!touch.hovered || !piece) return;
        const SlotPiece& its = slots_.pieces[*piece];
        scene_.pointed = static_cast<int>(its.lane);
        tip_ = "lane " + std::to_string(its.lane) + " names row " + std::to_string(its.row) +
               " of matrix " + std::to_string(its.matrix) + ": line " +
               std::to_string(slots_.lines[its.line]) + ", slot " + std::to_string(its.slot) +
               ", wavefront " + std::to_string(its.wavefront + 1);
        tip_at_ = its.rect;
        if (touch.clicked) scene_.commands.push_back(ChooseLane{its.lane});
    }

    void fragment(std::size_t i) { draw_fragment(scene_, layout_.places[i], texts_[i]); }

    [[nodiscard]] std::string operation_text() const {
        const TensorMoment& moment = scene_.moment;
        const Trace& trace = scene_.replay.trace();
        const Site& site = trace.sites[scene_.replay.schedule().steps[moment.step].site];
        if (const std::string matrix =
                matrix_instruction(moment.operation, moment.matrices.size(), moment.transposed);
            !matrix.empty() && !moment.matrices.empty())
            return matrix;
        return std::string(words_for(site.operation).request) + " " + trace.arrays[site.array].name;
    }

    void head() {
        TensorHead head{.operation = operation_text(),
                        .warp = "warp " + std::to_string(scene_.moment.warp)};
        const std::size_t count = scene_.moment.products.size();
        if (count > 1) {
            head.next = "product " + std::to_string(scene_.moment.chosen + 1) + " of " +
                        std::to_string(count);
            head.next_tip = "The next product that these registers are for (X)";
            head.next_product = static_cast<std::uint32_t>((scene_.moment.chosen + 1) % count);
        }
        head.product = product_texts();
        draw_tensor_head(scene_, layout_.head, head, layout_.is_low);
    }

    // "for mma m16n8k16: bf16 x bf16 + f32, line 38", longest first.
    [[nodiscard]] std::vector<std::string> product_texts() const {
        if (!scene_.moment.product) return {"no product of these registers was found"};
        const WarpProduct& product = *scene_.moment.product;
        const std::string shape = shape_text(product.shape);
        const std::string types = std::string(ptx_name(product.a)) + " \xc3\x97 " +
                                  std::string(ptx_name(product.b)) + " + " +
                                  std::string(ptx_name(product.d));
        const std::string line = ", line " + std::to_string(scene_.moment.product_line);
        const std::string before = scene_.moment.computes      ? "then "
                                   : scene_.moment.stores_sums ? "the sums of "
                                                               : "for ";
        return {before + instruction_of(product) + line,
                before + "mma " + shape + ": " + types + line, before + shape + ", " + types,
                before + shape};
    }

    // Which part of A, B and C the chosen lane has.
    void words() {
        const HeldFragment* const a = scene_.moment.fragment(MatrixOperand::kA);
        if (a == nullptr || scene_.moment.product->count() != 1) return;
        const int per_lane = a->registers * 32 / a->grid.bits();
        const int group = scene_.lane / 4, place = scene_.lane % 4;
        const std::string lane = std::to_string(scene_.lane);
        const std::string text =
            "The lanes of a warp hold A together: each has " +
            counted(static_cast<std::uint64_t>(per_lane), "element", "elements") + " in " +
            counted(static_cast<std::uint64_t>(a->registers), "register", "registers") + ". Lane " +
            lane + " = 4 \xc2\xb7 " + std::to_string(group) + " + " + std::to_string(place) +
            ": number " + std::to_string(place) + " of group " + std::to_string(group) +
            ". The lanes of a group share their rows of A and C, and their " + "column of B.";
        const float px = scene_.f(15), leading = 1.45f * px;
        const Rect& area = layout_.words;
        const auto lines = wrap_text(text, std::min(area.w, 34 * px), Face::kRegular, px);
        if (leading * static_cast<float>(lines.size()) + px > area.h) return;
        draw_lines({area.x, area.y + px}, lines, {Face::kRegular, px, colors_.ink2}, leading);
    }

    void legend() {
        const Rect& area = layout_.legend;
        const float y = area.center().y, box = scene_.u(18);
        const TextStyle style{Face::kRegular, scene_.f(13), colors_.ink2};
        float x = area.x;
        const auto entry = [&](std::string_view words, auto&& sample, float width) {
            const float needed = width + scene_.u(6) + text_width(words, style);
            if (x + needed > area.right()) return;
            sample(Rect{x, y - scene_.u(8), width, scene_.u(16)});
            draw_text({x + width + scene_.u(6), y}, words, style);
            x += needed + scene_.u(22);
        };
        const ColorRole role = role_of_fragment(scene_, 0);
        entry(
            "lane, then the values of its registers",
            [&](const Rect& rect) {
                fill_rect(rect, group_tint(scene_, role, 12), scene_.look.px(3));
            },
            2 * box);
        entry(
            "one tint: lanes 4g to 4g + 3",
            [&](const Rect& rect) {
                for (int g = 0; g < 8; ++g)
                    fill_rect(
                        {rect.x + static_cast<float>(g) * rect.w / 8, rect.y, rect.w / 8, rect.h},
                        group_tint(scene_, role, 4 * g));
            },
            4 * box);
        entry(
            "lane " + std::to_string(scene_.lane),
            [&](const Rect& rect) {
                draw_box(rect, colors_.solid(role), colors_.accent, scene_.look.px(2.5f),
                         scene_.look.px(3));
            },
            box);
        if (scene_.moment.is_request && scene_.request().cost.bank_conflicts > 0)
            entry(
                "waits: its banks are taken",
                [&](const Rect& rect) {
                    draw_box(rect, colors_.conflict_tint, colors_.conflict, scene_.look.line(),
                             scene_.look.px(3));
                },
                box);
        entry(
            "not there yet",
            [&](const Rect& rect) {
                dashed_rect(rect, mix(colors_.panel, colors_.solid(role), 0.6f), scene_.look.line(),
                            scene_.u(3));
            },
            box);
    }

    TensorScene& scene_;
    const Palette& colors_;
    Rect room_;
    std::vector<FragmentTexts> texts_;
    TensorLayout layout_;
    SlotsPlace slots_;
    std::string tip_;
    Rect tip_at_;
};

}  // namespace

bool has_tensor_picture(const Workbench& workbench) {
    return moment_of(workbench).has_value() || has_warpgroup_picture(workbench);
}

bool shows_tensor(const Workbench& workbench) {
    return workbench.view().tensor_picture && has_tensor_picture(workbench);
}

Commands draw_tensor_picture(const Look& of_stage, const Rect& rect, const Workbench& workbench,
                             const StageView& view) {
    // Three matrices need more room than words: in a small stage text is not large.
    Look look = of_stage;
    const float fits = std::min(rect.w / look.px(620), rect.h / look.px(400));
    look.text = std::min(look.text, std::max(1.0f, fits));
    const Clip clip(rect);
    register_widget("stage.tensor", rect);
    if (has_warpgroup_picture(workbench)) return draw_warpgroup_picture(look, rect, workbench);
    const std::optional<TensorMoment> moment = moment_of(workbench);
    if (!moment) return {};
    const Replay& replay = *workbench.replay();
    TensorScene scene{{look, workbench, replay}, *moment};
    scene.lane = static_cast<int>(workbench.watched_thread().lane());
    const ArrayId array = replay.trace().sites[replay.schedule().steps[moment->step].site].array;
    const ColorRole role = view.plan.role(array);
    if (role != ColorRole::kNone) scene.array_role = role;
    find_motion(scene, view);
    TensorPicture(scene, rect).draw();
    return std::move(scene.commands);
}

}  // namespace tilereel::stage

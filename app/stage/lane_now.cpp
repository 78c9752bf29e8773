#include "app/stage/lane_now.h"

#include <cmath>

namespace tilereel::stage {
namespace {

// The values of k that one read loads together with `k`.
std::vector<std::uint32_t> together(std::uint32_t k, std::uint32_t count) {
    std::vector<std::uint32_t> all;
    const std::uint32_t first = k == kNoIndex ? 0 : k / count * count;
    for (std::uint32_t i = 0; i < count; ++i) all.push_back(first + i);
    return all;
}

// Index of the multiply-add to highlight. They are highlighted one after another while the
// preceding request runs.
std::uint32_t lit_product(const Scene& scene, const LaneWork& work, std::size_t first) {
    const std::uint32_t step = work.products[first].step;
    std::uint32_t count = 0;
    for (std::size_t i = first; i < work.products.size() && work.products[i].step == step; ++i)
        count += work.products[i].count;
    const Step& of = scene.replay.schedule().steps[step];
    const double done = (scene.workbench.position() - static_cast<double>(of.begin)) / of.ticks;
    const auto at = static_cast<std::uint32_t>(std::clamp(done, 0.0, 1.0) * count);
    return work.products[first].first + std::min(at, count - 1);
}

void fill_operands(const Scene& scene, std::uint32_t last, LaneNow& shown) {
    const LaneWork& work = *shown.work;
    shown.a.assign(work.rows.size() * shown.k_of_a.size(), {});
    shown.b.assign(shown.k_of_b.size() * work.columns.size(), {});
    const auto put = [&](const LaneOperand& operand, std::vector<OperandHere>& into,
                         std::size_t row, std::size_t rows, std::size_t column,
                         std::size_t columns) {
        if (row < rows && column < columns)
            into[row * columns + column] = {true, operand.step == scene.state.step, operand.value};
    };
    const auto end = std::ranges::upper_bound(work.operands, last, {}, &LaneOperand::step);
    // The operands of the current product were read at most this many products ago.
    const std::size_t back = std::size_t{8} * std::max(work.k_of_a, work.k_of_b);
    const std::uint32_t first =
        shown.product > back && back > 0 ? work.products[shown.product - back].step : 0;
    auto operand = std::ranges::lower_bound(work.operands, first, {}, &LaneOperand::step);
    for (; operand < end; ++operand) {
        if (operand->matrix == scene.plan.find("A"))
            put(*operand, shown.a, place_in(work.rows, operand->row), work.rows.size(),
                place_in(shown.k_of_a, operand->column), shown.k_of_a.size());
        if (operand->matrix == scene.plan.find("B"))
            put(*operand, shown.b, place_in(shown.k_of_b, operand->row), shown.k_of_b.size(),
                place_in(work.columns, operand->column), work.columns.size());
    }
}

}  // namespace

LaneNow lane_now(Scene& scene) {
    LaneNow shown;
    const std::uint32_t warp = scene.view.lanes.warp(scene.state, scene.replay);
    shown.work = &scene.view.lanes.work(scene.replay, warp, scene.view.lanes.lane());
    const LaneWork& work = *shown.work;
    const std::uint32_t last =
        warp < scene.state.warps.size() ? scene.state.warps[warp].step : kNoStep;
    shown.product = last == kNoStep ? 0 : work.products_from(last);
    if (shown.product < work.products.size()) {
        // Its multiply-adds follow the request in flight.
        if (work.products[shown.product].step == last && scene.state.step == last)
            shown.lit = lit_product(scene, work, shown.product);
        while (shown.product + 1 < work.products.size() && shown.lit != kNoIndex &&
               shown.lit >= work.products[shown.product + 1].first)
            ++shown.product;
        shown.k = work.products[shown.product].k;
    }
    shown.k_of_a = together(shown.k, work.k_of_a);
    shown.k_of_b = together(shown.k, work.k_of_b);
    // A register keeps its value in the next phase, but the value is not used again.
    fill_operands(scene, last == kNoStep ? 0 : last, shown);
    if (last == kNoStep) {
        shown.a.assign(shown.a.size(), {});
        shown.b.assign(shown.b.size(), {});
    }
    return shown;
}

}  // namespace tilereel::stage

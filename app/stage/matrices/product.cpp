// C: partial sums of the watched block, names of the other blocks.
#include <algorithm>

#include "app/stage/matrices/matrix_parts.h"
#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel::stage {
namespace {

// Fills the cells of the watched block by the share of their multiply-adds that are done.
void fill_sums(Scene& scene, const CellRect& own, bool with_values, Patch& patch) {
    const float all = static_cast<float>(std::max(1u, scene.trace.launch.k));
    for_each_element(cut(own, patch.area), [&](Element at) {
        const std::size_t index = own.index_of(at);
        if (index >= scene.state.sums.size()) return;
        const PartialSum& sum = scene.state.sums[index];
        const float share = std::min(1.0f, static_cast<float>(sum.multiply_adds) / all);
        const auto level = static_cast<std::uint8_t>(255 * share + 0.5f);
        Cell& cell = patch.grid.cells[patch.area.index_of(at)];
        cell = {with_values ? CellLook::kPartialBar : CellLook::kPartial, ColorRole::kC, level, 0};
        if (sum.stored && with_values) cell = {CellLook::kValid, ColorRole::kC, 255, 0};
    });
}

void draw_sums(Scene& scene, const MatrixView& m, const CellRect& own, float px) {
    for_each_element(cut(own, m.visible()), [&](Element at) {
        const PartialSum* const sum = scene.sum_of(at);
        if (sum == nullptr || (sum->multiply_adds == 0 && !sum->stored)) return;
        if (scene.lit_sum != kNoIndex && at == scene.element_of_sum(scene.lit_sum)) return;
        const Rect box = m.cell(at);
        note_value(scene, box.cut(m.window));
        const float lift = sum->stored ? 0 : std::min(1.5f, box.h * 0.06f) * scene.look.scale;
        draw_text({box.center().x, box.center().y - lift}, text_of(sum->value).view(),
                  {Face::kMonoBold, px, scene.colors().ink, Align::kCenter});
    });
}

// Whether a sum holds products of the phase that follows the last complete one: then warps are in
// the middle of that phase.
bool sums_beyond(const Scene& scene, const Progress& progress) {
    const std::vector<PartialSum>& sums = scene.state.sums;
    if (sums.empty() || progress.done >= progress.of) return false;
    const auto [least, most] = std::ranges::minmax(sums, {}, &PartialSum::multiply_adds);
    const std::uint64_t complete =
        std::uint64_t{scene.trace.launch.k} * progress.done / progress.of;
    return most.multiply_adds > least.multiply_adds || most.multiply_adds > complete;
}

void draw_block_names(Scene& scene, const MatrixView& m) {
    const Launch& launch = scene.trace.launch;
    const BlockGrid& blocks = scene.plan.blocks();
    if (blocks.first.empty()) return;
    const Rect one = m.cells(blocks.first);
    const std::string widest_name =
        block_name(launch.grid, static_cast<std::uint32_t>(launch.grid.count() - 1));
    const auto fits = [&](const std::string& words, float px) {
        return text_width(words, Face::kRegular, px) + scene.u(2) + scene.f(8) <= one.w &&
               one.h >= px * 1.4f;
    };
    const float short_px = scene.f(12);
    const bool full = fits("block " + widest_name, scene.f(14));
    if (!full && !fits(widest_name, short_px)) return;
    const TextStyle style =
        scene.text(Face::kRegular, full ? 14 : 12, scene.colors().ink3, Align::kCenter);
    blocks.for_each(launch, [&](std::uint32_t x, std::uint32_t y) {
        const CellRect cells = blocks.at(x, y, launch);
        if (cells == scene.replay.regions().c) return;
        const Rect box = m.cells(cells).cut(m.window);
        if (box.w < one.w * 0.6f || box.h < short_px * 1.4f) return;
        const std::string words =
            (full ? "block " : "") + block_name(launch.grid, y * launch.grid.x + x);
        if (scene.shows_wrong) {  // otherwise the crosses would cover the name
            const ImVec2 plate{text_width(words, style) + scene.u(8), 1.5f * style.px};
            fill_rect(Rect::around(box.center(), plate), scene.colors().panel, scene.u(3));
        }
        draw_text(box.center(), words, style);
        note_value(scene, Rect::around(box.center(), {text_width(words, style), 1.2f * style.px}));
    });
}

}  // namespace

float type_of_sums(const Scene& scene) {
    const MatrixView& m = scene.layout.c;
    const auto type_in = [&](float width) {
        return cell_type(scene.look, width, m.pitch_y, scene.plan.digits_of_sums());
    };
    // Leaves a gap between the sums of neighbouring cells if they are still legible.
    const float apart = type_in(m.pitch_x - scene.look.px(1.5f));
    return apart > 0 ? apart : type_in(m.pitch_x);
}

void draw_product(Scene& scene) {
    const MatrixView& m = scene.layout.c;
    const Palette& colors = scene.colors();
    const CellRect own = scene.replay.regions().c;
    const CellRect visible = m.visible();
    const float px = type_of_sums(scene);
    const bool is_flat = m.flat(scene.look);
    {
        const Clip clip(m.window);
        if (is_flat)
            fill_rect(m.cells(m.all()).cut(m.window), mix(colors.panel, colors.cell, 0.54f));
        Patch patch(scene.look, m, is_flat ? cut(own, visible) : visible,
                    {CellLook::kIdle, ColorRole::kC, 0, kOtherBlockDim});
        fill_sums(scene, own, px > 0, patch);
        mark_request(scene, scene.plan.find("C"), patch);
        if (!patch.grid.cells.empty()) add_cell_grid(scene.look, std::move(patch.grid));
        draw_small_request(scene, scene.plan.find("C"), m);
        if (px > 0) draw_sums(scene, m, own, px);
        draw_wrong_marks(scene);
        draw_block_names(scene, m);
    }
    frame(scene, m, own, colors.c, 3);
    register_part("stage.c.tile", m, own);
}

std::string matrix_product_text(const Scene& scene, float width) {
    const Progress progress = scene.progress();
    const MatrixProduct& product = *scene.trace.product;
    const bool scaled = product.alpha != 1 || product.beta != 0;
    const std::string equation = scaled ? "= " + product_formula(product) + ", " : "";
    if (scene.all_stored()) return equation + size_of(scene.layout.c) + ", stored";
    const std::string of = " of " + counted(progress.of, progress.one, progress.many);
    const std::string after = sums_beyond(scene, progress)
                                  ? "during " + std::string(progress.one) + " " +
                                        with_commas(progress.done + 1) + " of " +
                                        with_commas(progress.of)
                                  : "after " + with_commas(progress.done) + of;
    const std::string full = scene.layout.small ? after : "partial sums " + after;
    const float room = width - scene.f(32);
    return longest_that_fits(
        {scaled ? equation + after : full, full, after, extent_of(scene.layout.c)}, room,
        scene.body(0));
}

}  // namespace tilereel::stage

#include "app/stage/tensor/wavefront_flight.h"

#include <algorithm>

#include "app/ui/cells/cells.h"
#include "app/ui/draw/glide.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

Rect blend(const Rect& a, const Rect& b, float share) {
    return {between(a.x, b.x, share), between(a.y, b.y, share), between(a.w, b.w, share),
            between(a.h, b.h, share)};
}

// The element of a lane with this number.
std::optional<MatrixElement> element_in(const FragmentGrid& grid, int lane, int index) {
    for (const FragmentCell& cell : grid.cells) {
        if (cell.lane != lane || index < cell.first || index >= cell.first + cell.count) continue;
        const int along = index - cell.first;
        return cell.rows > 1 ? MatrixElement{cell.at.row + along, cell.at.column}
                             : MatrixElement{cell.at.row, cell.at.column + along};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Rect> target_of_row(const TensorScene& scene, std::span<const FragmentPlace> places,
                                  int matrix, int row) {
    const LoadedMatrix& loaded = scene.moment.matrices[static_cast<std::size_t>(matrix)];
    if (loaded.lane_register < 0) return std::nullopt;
    const auto place = std::ranges::find(places, loaded.fragment, &FragmentPlace::which);
    if (place == places.end()) return std::nullopt;
    const FragmentGrid& grid = scene.moment.fragments[loaded.fragment].grid;
    std::optional<Rect> target;
    for (int lane = 0; lane < 32; ++lane)
        for (int half = 0; half < 2; ++half) {
            if (matrix_load_element(scene.moment.transposed, lane, half).row != row) continue;
            const int bit = 32 * loaded.lane_register + 16 * half;
            for (int index = bit / grid.bits(); index <= (bit + 15) / grid.bits(); ++index)
                if (const auto at = element_in(grid, lane, index)) {
                    const Rect cell = place->elements(*at, 1, 1);
                    target = target ? target->joined(cell) : cell;
                }
        }
    return target;
}

Rect piece_on_way(const Rect& from, const Rect& bar_from, const Rect& bar_to, const Rect& to,
                  float share) {
    constexpr float kGathered = 0.25f, kArrived = 0.75f;  // of the time
    if (share < kGathered) return blend(from, bar_from, eased(share / kGathered));
    if (share < kArrived)
        return blend(bar_from, bar_to, eased((share - kGathered) / (kArrived - kGathered)));
    return blend(bar_to, to, eased((share - kArrived) / (1 - kArrived)));
}

void draw_wavefront_flight(TensorScene& scene, const SlotsPlace& slots,
                           std::span<const FragmentPlace> places) {
    struct Flying {
        Rect from, to;
    };
    std::vector<Flying> flying;
    Rect sources, targets;
    for (const SlotPiece& piece : slots.pieces) {
        if (piece.wavefront != scene.wavefront) continue;
        const std::optional<Rect> target = target_of_row(scene, places, piece.matrix, piece.row);
        if (!target) continue;
        sources = flying.empty() ? piece.rect : sources.joined(piece.rect);
        targets = flying.empty() ? *target : targets.joined(*target);
        flying.push_back({piece.rect, *target});
    }
    if (flying.empty()) return;
    const Palette& colors = scene.colors();
    const ImU32 solid = colors.solid(scene.array_role);
    stroke_rect(targets, solid, scene.look.px(2), scene.look.px(4));
    register_widget("stage.tensor.target", targets);
    if (!scene.flies) return;
    const float share = scene.stores() ? 1 - scene.progress : scene.progress;
    // The bar: as wide as a piece, its rows close together.
    const float w = slots.pieces.front().rect.w;
    const float h = std::min(slots.pieces.front().rect.h, scene.u(8));
    const auto count = static_cast<float>(flying.size());
    const auto in_bar = [&](const Rect& around, std::size_t i) {
        return Rect{around.center().x - w / 2,
                    around.center().y + (static_cast<float>(i) - count / 2) * h, w, h};
    };
    Rect all;
    std::vector<MovingCell> cells;
    for (std::size_t i = 0; i < flying.size(); ++i) {
        const Rect rect = piece_on_way(flying[i].from, in_bar(sources, i), in_bar(targets, i),
                                       flying[i].to, share);
        all = i == 0 ? rect : all.joined(rect);
        cells.push_back({rect, CellLook::kInFlight, scene.array_role, 255, scene.look.px(2)});
    }
    add_moving_cells(scene.look, std::move(cells));
    register_widget("stage.tensor.flight", all);
}

}  // namespace tilereel::stage

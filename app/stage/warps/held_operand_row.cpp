// An operand that the lanes of a warp hold in registers: one element per lane, loaded once.
#include <algorithm>
#include <cmath>

#include "app/stage/scene.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

// "B[1][32] to B[1][63]"
std::string range_of(const Scene& scene, const Array& array, const LaneOffsets& lanes) {
    std::uint32_t least = 0xffffffff, most = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        if ((lanes.mask >> lane & 1) == 0) continue;
        least = std::min(least, lanes.bytes[lane]);
        most = std::max(most, lanes.bytes[lane]);
    }
    const auto name = [&](std::uint32_t byte) {
        return element_name(array, array.place_of(byte / array.element_bytes));
    };
    const std::string first = name(least);
    if (least == most) return first;
    return first + (scene.layout.small ? " \xe2\x80\xa6 " : " to ") + name(most);
}

// The longest text above the row that fits.
std::string held_operand_text(const Scene& scene, const HeldOperand& held, float width,
                              const TextStyle& style) {
    const std::string warp = "warp " + std::to_string(scene.steps()[scene.state.request.step].warp);
    if (held.load_step == kNoStep)
        return longest_that_fits(
            {warp + " has loaded no operand yet", "no operand yet", "none yet"}, width, style);
    const Step& load = scene.steps()[held.load_step];
    const Array& array = scene.trace.arrays[scene.trace.sites[load.site].array];
    const std::string range = range_of(scene, array, lane_offsets(scene.trace, load.record));
    const std::string used = "used " + with_commas(held.used) + " of " + with_commas(held.of_all) +
                             (held.of_all == 1 ? " time" : " times");
    return longest_that_fits(
        {warp + ": " + range + ", one a lane, loaded once, " + used,
         warp + ": " + range + ", loaded once, " + used, range + ", " + used, used},
        width, style);
}

// One row with all lanes, or two rows with 16 lanes each, which allows larger cells.
struct Grid : CellWindow {
    float number = 0;  // height of the lane's number below its cell
    ImVec2 gap{};
};
Grid grid_in(const Scene& scene, const Rect& area) {
    Grid grid;
    for (const std::uint32_t across : {kWarpSize / 2u, std::uint32_t{kWarpSize}}) {
        grid.columns = across;
        grid.rows = kWarpSize / across;
        const auto columns = static_cast<float>(across), rows = static_cast<float>(grid.rows);
        const float pitch = std::min(area.w / columns, scene.u(20) + scene.f(32));
        grid.number = pitch >= scene.f(14) ? scene.f(16) : 0;
        grid.show_all(area.min(), {pitch, std::min(std::floor(area.h / rows),
                                                   pitch + grid.number + scene.u(4))});
        grid.gap = {scene.u(2), grid.number + scene.u(2)};
        if (grid.slot(0, grid.gap).h >= pitch * 0.6f) break;
    }
    return grid;
}

void draw_lanes(Scene& scene, const Rect& area, const HeldOperand& held) {
    const bool known = held.load_step != kNoStep;
    const bool loading = known && scene.state.step == held.load_step;
    const Grid grid = grid_in(scene, area);
    LaneOffsets lanes;
    const Array* array = nullptr;
    ArrayId id = kNoArray;
    if (known) {
        const Step& load = scene.steps()[held.load_step];
        id = scene.trace.sites[load.site].array;
        array = &scene.trace.arrays[id];
        lanes = lane_offsets(scene.trace, load.record);
    }
    const ColorRole role = known ? scene.plan.role(id) : ColorRole::kNone;
    std::vector<MovingCell> cells;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const bool on = (lanes.mask >> lane & 1) != 0;
        const CellLook look = !known    ? CellLook::kNeverWritten
                              : !on     ? CellLook::kOff
                              : loading ? CellLook::kInFlight
                                        : CellLook::kValid;
        cells.push_back({grid.slot(lane, grid.gap), look, role, 255, scene.look.px(3)});
    }
    add_moving_cells(scene.look, cells);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const Rect& cell = cells[lane].rect;
        if (grid.number > 0)
            draw_text({cell.center().x, cell.bottom() + grid.number / 2}, std::to_string(lane),
                      scene.number(Align::kCenter));
        if ((lanes.mask >> lane & 1) == 0) continue;
        const CellText text = text_of(input_value(scene.trace, id, lanes.bytes[lane]));
        const float px = cell_type(scene.look, grid.pitch_x, cell.h, static_cast<int>(text.length));
        draw_in_cell(scene, cell, text.view(), {cells[lane].look, role}, px);
        if (scene.points_at(cell))
            scene.hover = {
                element_name(*array, array->place_of(lanes.bytes[lane] / array->element_bytes)) +
                    " = " + std::string(text.view()),
                role,
                {"in a register of lane " + std::to_string(lane)}};
    }
    register_widget("stage.registers", grid.window);
}

}  // namespace

void draw_registers(Scene& scene) {
    const Rect& area = scene.layout.registers;
    const std::uint32_t step = scene.state.request.step;
    if (area.w <= 0 || area.h < scene.f(50) || step == kNoStep) return;
    const HeldOperand held = held_at(scene.replay.held_operands(), step);
    const float y = area.y + scene.f(10);
    draw_heading(scene, {area.x, y}, area.w, "Registers", [&](float width, const TextStyle& style) {
        return held_operand_text(scene, held, width, style);
    });
    const float top = y + scene.f(16);
    draw_lanes(scene, {area.x, top, area.w, area.bottom() - top}, held);
}

}  // namespace tilereel::stage

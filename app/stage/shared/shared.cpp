// The block's shared arrays: as tiles, or by bank if a tile is too wide.
#include <algorithm>

#include "app/replay/elements.h"
#include "app/stage/shared/bank_use.h"
#include "app/stage/shared/placement.h"
#include "app/stage/shared/ring.h"
#include "app/stage/word_glide.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

// Of a gliding word's width and height where it ends: from there on its value is drawn.
constexpr float kReadableShare = 0.85f;

CellLook look_of(const SharedCell& cell) {
    switch (cell.state) {
        case CellState::kStale:
            return cell.loaded ? CellLook::kStale : CellLook::kStaleNotLoaded;
        case CellState::kValid:
            return cell.loaded ? CellLook::kValid : CellLook::kNotLoaded;
        case CellState::kUnderWay:
            return CellLook::kBeingCopied;
        case CellState::kNeverWritten:
            break;
    }
    return CellLook::kNeverWritten;
}

CellLook look_of_service(const Scene& scene, const AccessedWord& word, const RequestBanks& banks) {
    const BankUse& use = banks.bank[word.bank % kBankColumns];
    switch (scene.service_of_wavefront(word.wavefront)) {
        case LaneService::kServed:
            return CellLook::kSolid;
        case LaneService::kNow:
            return use.conflicted() ? CellLook::kConflictCurrent : CellLook::kInFlight;
        case LaneService::kWaiting:
            break;
    }
    // Groups of lanes that are served in turn are not a conflict.
    return use.conflicted() ? CellLook::kConflictWaiting : CellLook::kBeingCopied;
}

// What the cells of a view are drawn from.
struct Drawn {
    const SharedView& view;
    const Picture& picture;
    const Placement* placement;  // nullptr: cells show values
    const RequestBanks& banks;
    std::vector<AccessedWord> words;  // by cell
};

// The look of an element.
Cell cell_of(Scene& scene, const Drawn& drawn, Element at) {
    const SharedView& view = drawn.view;
    const Placement* const placement = drawn.placement;
    const std::size_t index = view.index(at);
    const ColorRole role = scene.plan.role(view.array);
    if (const AccessedWord& word = drawn.words[index]; word.lane != kNoIndex)
        return {look_of_service(scene, word, drawn.banks), role, 0, 0};
    Cell cell{CellLook::kNothing, role};
    if (at.column >= view.used_columns)
        cell.look = CellLook::kOff, scene.shows_padding = true;
    else if (index < drawn.picture.cells.size())
        cell.look = look_of(drawn.picture.cells[index]);
    // By bank, only the words being accessed are highlighted.
    if (view.by_bank && cell.look == CellLook::kValid) cell.look = CellLook::kBand, cell.dim = 90;
    if (view.by_bank && cell.look == CellLook::kNeverWritten) cell.look = CellLook::kIdle;
    // The plane's frame already shows that its cells are stale.
    if (view.by_bank && view.planes > 1 && cell.look == CellLook::kStale)
        cell.look = CellLook::kNothing;
    // Elements that are not in their original column are highlighted.
    const bool stays =
        placement != nullptr && placement->moved && placement->along[index] == at.column;
    if (stays && cell.look == CellLook::kValid) cell.look = CellLook::kBand;
    if (stays && cell.look == CellLook::kBand) cell.dim = 150;
    if (placement != nullptr && placement->moved && !stays && cell.look == CellLook::kBand)
        cell.dim = 0;
    return cell;
}

// The font size in pixels for element names in a view's cells. 0 if there is no room.
float names_px(const Scene& scene, const SharedView& view, std::size_t digits) {
    const auto of = static_cast<float>(std::max<std::size_t>(digits, 2));
    const float px = std::min({1.3f * view.pitch_x / of, view.pitch_y * 0.8f, scene.f(13)});
    return px >= scene.look.px(8.5f) ? px : 0;
}

// Draws the text in a cell. By bank it is the number of the lane that accesses it, otherwise the
// value.
void draw_word(Scene& scene, const Drawn& drawn, Element element, Cell look, const Rect& place) {
    const SharedView& view = drawn.view;
    const std::size_t index = view.index(element);
    const std::uint32_t lane = drawn.words[index].lane;
    // Values in shared memory are clear, even where their cells are dimmed.
    if (look.look == CellLook::kBand || look.look == CellLook::kBeingCopied)
        look.look = CellLook::kValid;
    if (view.by_bank && lane != kNoIndex && drawn.placement == nullptr) {
        const float most = std::max(scene.f(11), view.pitch_y * 0.3f);
        const auto px = [&](float digits) {
            return std::min({most, view.pitch_y * 0.86f, 1.36f * view.pitch_x / digits});
        };
        const float least = scene.look.px(9);
        // An L before the number distinguishes it from values, if there is room.
        const bool letter = px(3) >= least && scene.type_in(view, 1) > 0;
        if (const float size = px(letter ? 3 : 2); size >= least)
            draw_in_cell(scene, place, (letter ? "L" : "") + std::to_string(lane), look, size);
        return;
    }
    // While a lane stores, its cell shows the value being stored.
    const bool stores = lane != kNoIndex && scene.site()->operation == Operation::kStore;
    if (look.look == CellLook::kOff || index >= drawn.picture.cells.size()) return;
    const SharedCell& cell = drawn.picture.cells[index];
    if (cell.state == CellState::kUnderWay ||  // the old value is no longer valid
        (!stores && cell.state == CellState::kNeverWritten))
        return;
    if (drawn.placement != nullptr) {
        if (drawn.placement->along[index] == kNoIndex) return;
        const std::string name = std::to_string(drawn.placement->along[index]);
        return draw_in_cell(scene, place, name, look, names_px(scene, view, name.size()));
    }
    const std::uint32_t value = drawn.words[index].value % 4;
    const CellText text =
        text_of(stores ? scene.state.request.lanes[lane].values[value] : cell.value);
    const float px = scene.type_in(view, text.length);
    if (px > 0) note_value(scene, place.cut(view.window));
    draw_in_cell(scene, place, text.view(), look, px);
}

// Dims a cell that the chosen warp does not read.
void dim_unread(Cell& cell) {
    if (cell.look == CellLook::kValid) cell.look = CellLook::kBand;
    if (cell.look == CellLook::kBand) cell.dim = std::max<std::uint8_t>(cell.dim, 170);
}

void draw_cells(Scene& scene, const Drawn& drawn) {
    const SharedView& view = drawn.view;
    const float radius = view.by_bank ? 2 : view.pitch_x >= scene.look.px(40) ? 5 : 4;
    CellGrid grid = view.grid(scene.look, view.all(), radius);
    const CellRect elements{view.first_row, 0, view.first_row + view.row_count,
                            view.leading_dimension};
    const auto cell_in_grid = [&](Element element) {
        const Element place = view.place(element);
        return std::size_t{place.row} * view.columns + place.column;
    };
    for_each_element(elements, [&](Element element) {
        grid.cells[cell_in_grid(element)] = cell_of(scene, drawn, element);
    });
    if (const auto& warp = scene.thread().chosen_warp()) {
        const std::vector<bool>& its = scene.view.lanes.reads(scene.replay, *warp, view.array);
        const std::size_t plane = std::size_t{view.first_row} * view.leading_dimension;
        for_each_element(elements, [&](Element element) {
            if (!its[(plane + view.index(element)) % its.size()])
                dim_unread(grid.cells[cell_in_grid(element)]);
        });
    }
    const std::vector<Cell> looks = grid.cells;
    // Text larger than its cell may extend beyond the window, unless the view is zoomed.
    const Clip clip(view.zoomed() ? view.window : scene.layout.all);
    const bool glides = glide_share(scene) < 1 && !view.small;
    if (glides) {
        std::vector<Cell> by_element;
        for_each_element(
            elements, [&](Element element) { by_element.push_back(looks[cell_in_grid(element)]); });
        draw_gliding_words(scene, view, by_element);
    } else {
        add_cell_grid(scene.look, std::move(grid));
    }
    const Rect seen = view.window.inset(-std::max(view.pitch_x, view.pitch_y));
    for_each_element(elements, [&](Element element) {
        const Rect place = view.cell_of(element);
        if (!seen.contains(place.center())) return;
        const auto gliding =
            glides ? gliding_place(scene, view, element, place) : std::optional<Rect>();
        if (glides && !gliding && appearing(scene) <= 0) return;
        const Rect at = gliding.value_or(place);
        if (glides && behind_banks(scene, at)) return;
        // The size of text is that of the place where the word ends: before, words would lie on
        // each other.
        if (at.w < kReadableShare * place.w || at.h < kReadableShare * place.h) return;
        draw_word(scene, drawn, element, looks[cell_in_grid(element)], at);
    });
}

// The right end for text beside a tile: the banks, if they are there.
float right_of_tiles(const Scene& scene) {
    const StageLayout& layout = scene.layout;
    return layout.banks == BanksForm::kEightRows ? layout.bank_area.x - scene.u(6)
                                                 : layout.shared.right();
}

// While little has landed, there is no layout to be seen.
bool is_half_written(const SharedArrayState& model) {
    const auto never =
        std::ranges::count(model.cells, CellState::kNeverWritten, &SharedCell::state);
    return 2 * static_cast<std::size_t>(never) <= model.cells.size();
}

// "in each cell its row of A; piece 1 of row 4 lies in slot 1 XOR 1 = 0"; as much of it as fits.
std::string names_text(const Scene& scene, const SharedView& view, const Placement& placement,
                       float width) {
    if (placement.matrix == kNoArray) return {};
    const std::string swap = some_swizzle_text(view, placement);
    const bool named = names_px(scene, view, 2) > 0;  // there is room for names
    const std::string what = named ? std::string("in each cell its ") +
                                         (placement.transposed ? "row" : "column") + " of " +
                                         scene.trace.arrays[placement.matrix].name
                                   : "brighter: moved to another column";
    const float px = std::min(scene.f(14), std::max(scene.look.wide(), scene.f(12)));
    const TextStyle style{Face::kRegular, px};
    if (swap.empty()) return longest_that_fits({what, ""}, width, style);
    return longest_that_fits({what + "; 16-byte " + swap, what + "; " + swap,
                              "swizzled: 16-byte " + swap, "16-byte " + swap, swap, what, ""},
                             width, style);
}

// "tile 3: being read"
std::string plane_text(const Scene& scene, const SharedView& view, const SharedPlaneState& plane,
                       float width) {
    const float px = scene.f(14);
    const bool filled = plane.state != BufferState::kEmpty;
    const std::string tile = filled ? "tile " + with_commas(plane.phase + 1) + ": " : "";
    const float left = width - text_width(tile, Face::kRegular, px);
    return tile + std::string(buffer_state_text(scene, view, plane, left, px));
}

void draw_array(Scene& scene, const SharedView& view, const SharedArrayState& model,
                const RequestBanks& banks) {
    const Palette& colors = scene.colors();
    const Array& array = scene.trace.arrays[view.array];
    const Picture picture = picture_of(scene, model, view);
    const Placement placement = placement_of(scene, view, picture);
    scene.view.any_moved = scene.view.any_moved || placement.moved;
    const bool names = scene.workbench.view().names_elements.value_or(placement.moved);
    draw_cells(scene,
               {view, picture, names ? &placement : nullptr, banks, accessed_words(scene, view)});
    if (view.planes > 1) frame_plane(scene, view, model.planes[view.plane]);
    const ColorRole role = scene.plan.role(view.array);
    const bool brief = scene.layout.small;
    const ImVec2 title = gliding_title(scene, view);
    const float w =
        draw_text_on_top(scene, title, plane_name(array, view.plane),
                         scene.text(Face::kSemiBold, brief ? 15 : 20, colors.solid(role)));
    const float x = title.x + w + scene.u(9), right = right_of_tiles(scene);
    draw_text_on_top_shrunk(
        scene, {x, title.y}, right - x,
        !placement.mixed_texts.empty()
            ? longest_that_fits(placement.mixed_texts, right - x, scene.body(0))
        : names && is_half_written(model) ? names_text(scene, view, placement, right - x)
        : view.planes > 1 ? plane_text(scene, view, model.planes[view.plane], right - x)
                          : shared_tile_text(scene, view, picture),
        scene.body(colors.ink2));
    const std::string plane = view.planes > 1 ? "." + std::to_string(view.plane) : "";
    register_widget("stage.shared." + array.name + plane, view.window);
    const std::optional<Element> here = view.element_at(scene.mouse);
    if (!scene.mouse_here || !here) return;
    hover_shared(scene, view.array, *here);
    if (const std::string swap = swizzle_text(view, placement, *here); !swap.empty())
        scene.hover.add("16-byte " + swap);
}

}  // namespace

void draw_shared(Scene& scene) {
    if (scene.layout.arrays.empty()) return draw_memory_request(scene);
    const Rect& area = scene.layout.shared;
    if (!scene.layout.small) {
        const Palette& colors = scene.colors();
        const float y = area.y + scene.u(14) + scene.f(18);
        draw_text_on_top_shrunk(scene, {area.x, y}, right_of_tiles(scene) - area.x, "Shared memory",
                                scene.text(Face::kSemiBold, 20, colors.ink));
        if (scene.layout.by_bank())
            draw_text_shrunk(scene, {area.x + scene.f(160), y}, area.w - scene.f(160),
                             "as it lies in the banks: one column is one bank",
                             scene.body(colors.ink2));
    }
    note_plane_changes(scene);
    const RequestBanks banks = banks_of_request(scene);
    scene.view.any_moved = false;
    for (const SharedView& view : scene.layout.arrays)
        for (const SharedArrayState& model : scene.state.shared)
            if (model.array == view.array && view.small)
                draw_small_plane(scene, view, model);
            else if (model.array == view.array)
                draw_array(scene, view, model, banks);
    draw_plane_changes(scene);
    if (scene.layout.by_bank())
        draw_bank_columns(scene);
    else
        draw_banks(scene);
}

}  // namespace tilereel::stage

// The controls of a global array's picture: the row length, and the part that the window shows.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/stage/general.h"
#include "app/stage/scene.h"
#include "app/ui/menu.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::uint32_t kLongestRow = 1u << 20;  // as long as a kept row length can be

std::uint32_t row_length_within(const GlobalView& view, double wanted) {
    const auto most = static_cast<double>(
        std::min<std::uint64_t>(std::max<std::uint64_t>(view.shape.cells(), 1), kLongestRow));
    return static_cast<std::uint32_t>(std::clamp(std::round(wanted), 1.0, most));
}

// Places buttons from the right edge to the left.
struct Buttons {
    Scene& scene;
    std::string prefix;  // prefix of the widget names
    float y = 0, h = 0, right = 0, left = 0;
    // The rectangle of a button with this width. Empty if there is no room.
    Rect take(float width) {
        if (right - width < left) return {};
        right -= width + scene.u(4);
        return {right + scene.u(4), y, width, h};
    }
    // Draws a button, if there is room. Returns true when it is clicked.
    bool press(const char* name, const std::string& label, float width, std::string_view tip) {
        const Rect place = take(width);
        return place.w > 0 && text_button(scene.look, prefix + name, place, label, false, tip);
    }
};

constexpr const char* kTypeANumber = "type a number\xe2\x80\xa6";

void begin_row_edit(Scene& scene, const std::string& name, std::uint32_t now) {
    GeneralView::RowEdit& edit = scene.view.general.row_edit.emplace();
    edit.array = name;
    edit.edit.begin(std::to_string(now));
}

// Draws the text field until the edit ends. Enter or a click outside accepts the text if it is an
// integer from 1 to the number of elements; Escape discards it.
void draw_row_field(Buttons& buttons, const GlobalView& view, const std::string& name) {
    Scene& scene = buttons.scene;
    GeneralView& chosen = scene.view.general;
    GeneralView::RowEdit& typed = *chosen.row_edit;
    const Rect field = buttons.take(scene.f(110));
    if (field.w <= 0) return chosen.row_edit.reset();
    const std::string widget = buttons.prefix + ".field";
    register_widget(widget, field);
    const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                        !ImGui::IsMouseHoveringRect(field.min(), field.max());
    draw_box(field, scene.colors().raised, scene.colors().accent, scene.look.frame(), scene.u(4));
    std::optional<EditEnd> end = typed.edit.draw(widget, field.inset(scene.u(5)),
                                                 scene.text(Face::kMono, 15, scene.colors().ink));
    if (beside) end = EditEnd::kEnter;
    if (!typed.refused.empty()) {
        const TextStyle style = scene.text(Face::kSemiBold, 14, scene.colors().conflict);
        const float w = text_width(typed.refused, style);
        const Rect said{std::max(field.right() - w - scene.u(12), view.box.x), field.bottom(),
                        w + scene.u(12), scene.f(24)};
        fill_rect(said, scene.colors().panel, scene.u(4));
        say(scene, {said.x + scene.u(6), said.center().y}, typed.refused, style);
    }
    if (!end) return;
    const std::uint64_t most = std::clamp<std::uint64_t>(view.shape.cells(), 1, kLongestRow);
    const auto length = row_length_typed(typed.edit.text(), most);
    if (length) chosen.rows[name] = *length;
    if (length || end != EditEnd::kEnter || beside) return chosen.row_edit.reset();
    typed.refused = "a whole number from 1 to " + with_commas(most);
}

void draw_row_chooser(Buttons& buttons, const GlobalView& view, const GlobalArray& array,
                      const std::string& name) {
    Scene& scene = buttons.scene;
    if (!scene.has_controls()) return;
    GeneralView& chosen = scene.view.general;
    if (chosen.row_edit && chosen.row_edit->array == name)
        return draw_row_field(buttons, view, name);
    const std::uint32_t now = view.shape.row_length();
    if (buttons.press(".more", "+", buttons.h,
                      "One element more in a row; changes only the picture"))
        chosen.rows[name] = row_length_within(view, now + 1.0);
    std::vector<std::string> labels;
    std::vector<std::uint32_t> lengths = array.offered_rows;
    if (std::ranges::find(lengths, now) == lengths.end()) lengths.push_back(now);
    int current = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        labels.push_back(rows_text(lengths[i]));
        if (lengths[i] == now) current = static_cast<int>(i);
    }
    labels.emplace_back(kTypeANumber);
    const float w = chooser_width(scene.look, rows_text(now)) + scene.u(14);
    if (const Rect chip = buttons.take(w); chip.w > 0) {
        const int asked =
            choice_chip(scene.look, buttons.prefix + ".rows", chip, "", labels, current,
                        "How many elements stand in a row; changes only the picture");
        if (asked == static_cast<int>(lengths.size()))
            begin_row_edit(scene, name, now);
        else if (asked >= 0)
            chosen.rows[name] = lengths[static_cast<std::size_t>(asked)];
    }
    if (buttons.press(".fewer", "-", buttons.h,
                      "One element less in a row; changes only the picture"))
        chosen.rows[name] = row_length_within(view, now - 1.0);
}

// What the button for the shown part of an array says; nullptr if it has none.
const char* part_label(const GeneralView& chosen, const GlobalView& view, const std::string& name) {
    const auto origin = chosen.origins.find(name);
    const bool held = origin != chosen.origins.end() && origin->second.held;
    if (held || std::ranges::find(chosen.raised, name) != chosen.raised.end()) return "follow";
    if (!view.can_change) return nullptr;
    return view.whole() ? "values" : "all";
}

void draw_part_chooser(Buttons& buttons, const GlobalView& view, const std::string& name) {
    Scene& scene = buttons.scene;
    GeneralView& chosen = scene.view.general;
    const char* const label = part_label(chosen, view, name);
    if (label == nullptr) return;
    const float width = chooser_width(scene.look, label);
    if (label == std::string_view("follow")) {
        if (buttons.press(".follow", label, width, "Show again what is accessed (0)")) {
            if (const auto origin = chosen.origins.find(name); origin != chosen.origins.end())
                origin->second.held = false;
            std::erase(chosen.raised, name);
        }
        return;
    }
    if (buttons.press(".part", label, width,
                      view.whole() ? "A part of the array with its values"
                                   : "The whole array without its values"))
        chosen.whole[name] = !view.whole();
}

// The largest font size from `most` down to `least` (units) at which the text fits. 0 if there is
// none.
float px_that_fits(const Scene& scene, const std::string& words, Face face, float width, float most,
                   float least) {
    for (float units = most; units >= least; units -= 0.5f)
        if (text_width(words, face, scene.f(units)) <= width) return scene.f(units);
    return 0;
}

// Draws the name and beside it type and extents, if they fit at a readable size.
void draw_name(Scene& scene, const Array& array, ColorRole role, ImVec2 at, float width) {
    constexpr float kWords = 14, kLeastWords = 11;  // units
    const Palette& colors = scene.colors();
    const float fitting =
        px_that_fits(scene, array.name, Face::kSemiBold, width, kNameType, kLeastNameType);
    const float px = fitting > 0 ? fitting : scene.f(kLeastNameType);
    const ImU32 color = role == ColorRole::kNone ? colors.ink : colors.solid(role);
    const float w = draw_text_fit(at, width, array.name, {Face::kSemiBold, px, color}) + scene.u(8);
    std::string extents = array_text(array);
    extents.erase(0, array.type_text().size() + 2);
    for (const std::string& words : {array_text(array), extents}) {
        const float size =
            px_that_fits(scene, words, Face::kRegular, width - w, kWords, kLeastWords);
        if (size <= 0) continue;
        draw_text({at.x + w, at.y}, words, {Face::kRegular, size, colors.ink2});
        return;
    }
}

// Moves the window to a cell that the user clicked, and keeps it there.
void look_at(Scene& scene, const GlobalView& view, float row, float column) {
    GeneralView::WindowOrigin& origin =
        scene.view.general.origins[scene.trace.arrays[view.array].name];
    origin = {row, column, true, true};
}

}  // namespace

std::optional<std::uint32_t> row_length_typed(const std::string& text, std::uint64_t most) {
    std::uint64_t length = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (problem != std::errc() || end != text.data() + text.size() || length < 1 || length > most)
        return std::nullopt;
    return static_cast<std::uint32_t>(length);
}

float chooser_width(const Look& look, const std::string& label) {
    return text_width(label, Face::kSemiBold, look.font_px(15)) + look.px(20);
}

Rect chip_at(const Scene& scene, float right, float bottom, const std::string& label) {
    const float w = chooser_width(scene.look, label), h = scene.u(6) + scene.f(16);
    return {right - w, bottom - h - scene.u(6), w, h};
}

std::string rows_text(std::uint32_t row_length) { return with_commas(row_length) + " a row"; }

std::string array_text(const Array& array) {
    std::string words = array.type_text();
    const char* separator = ", ";
    for (const std::uint32_t extent : array.extents()) {
        words += separator + with_commas(extent);
        separator = " \xc3\x97 ";
    }
    if (array.space == Space::kConstant) words += ", constant";
    return words;
}

void draw_choosers(Scene& scene, const GlobalView& view, const GlobalArray& array) {
    const Array& its = scene.trace.arrays[view.array];
    const Rect& box = view.box;
    const float y = box.y + scene.u(4) + scene.f(9);
    const float h = scene.u(4) + scene.f(16);
    const float line = view.two_lines ? y + scene.f(12) : y - h / 2;
    const float name = text_width(its.name, Face::kSemiBold, scene.f(18)) + scene.u(8);
    const float words = text_width(array_text(its), Face::kRegular, scene.f(14)) + scene.u(8);
    Buttons buttons{scene,       "stage.global." + its.name,
                    line,        h,
                    box.right(), view.two_lines ? box.x : box.x + name + words};
    if (view.two_lines) {  // left-aligned below the name
        float needed = 0;
        if (array.one_extent)
            needed += chooser_width(scene.look, rows_text(view.shape.row_length())) + scene.u(14) +
                      2 * h + 3 * scene.u(4);
        if (const char* part = part_label(scene.view.general, view, its.name))
            needed += chooser_width(scene.look, part) + scene.u(4);
        buttons.right = std::min(box.right(), box.x + needed);
    }
    if (array.one_extent && array.offered_rows.size() > 1)
        draw_row_chooser(buttons, view, array, its.name);
    draw_part_chooser(buttons, view, its.name);
    const float end = view.two_lines ? box.right() : buttons.right;
    draw_name(scene, its, view.role, {box.x, y}, end - box.x);
}

void draw_uses(Scene& scene, const GlobalView& view, const Rect& place, float least) {
    const Palette& colors = scene.colors();
    const CellWindow all = view.scaled_to(place);
    fill_rect(place, colors.cell, scene.u(2));
    if (const CellRect& block = scene.view.general.plan.uses().of_block(view.array, view.shape);
        !block.empty())
        fill_rect(all.mark(block, least), colors.tint(view.role));
    for_each_accessed(scene, view.array, [&](std::uint32_t, std::uint64_t cell) {
        if (cell >= view.shape.cells()) return;
        const Element at = view.shape.place(cell);
        fill_rect(all.mark({at.row, at.column, at.row + 1, at.column + 1}, least),
                  colors.solid(view.role));
    });
}

void draw_map(Scene& scene, const GlobalView& view) {
    draw_uses(scene, view, view.map, 2);
    stroke_rect(view.on_map(view.visible()).inset(-1), scene.colors().ink,
                std::max(1.0f, scene.look.frame()));
    register_widget("stage.global." + scene.trace.arrays[view.array].name + ".map", view.map);
}

void draw_strip(Scene& scene, const GlobalView& view) {
    const Palette& colors = scene.colors();
    const std::string& name = scene.trace.arrays[view.array].name;
    const Interaction touch = interact(scene.look, "stage.global." + name + ".raise", view.box,
                                       "Show its values, and keep them in sight; back: 0");
    if (touch.clicked) scene.view.general.raised.push_back(name);
    const ImU32 color = view.role == ColorRole::kNone ? colors.ink : colors.solid(view.role);
    draw_text_fit({view.box.x, view.box.center().y}, view.box.w, name,
                  scene.text(Face::kSemiBold, kLeastNameType, touch.hovered ? colors.ink : color));
    if (view.map.w > 0) draw_uses(scene, view, view.map, 2);
    register_widget("stage.global." + name, view.map.w > 0 ? view.map : view.box);
}

void drag_row_length(Scene& scene, const GlobalView& view) {
    const std::string& name = scene.trace.arrays[view.array].name;
    std::optional<GeneralView::RowDrag>& drag = scene.view.general.drag;
    const float w = scene.u(10);
    const Rect edge{view.window.right() - w / 2, view.window.y, w, view.window.h};
    const bool own = drag && drag->array == name;
    const Interaction touch = interact(scene.look, "stage.global." + name + ".edge", edge,
                                       "Drag: longer or shorter rows");
    if (touch.held && !drag)
        drag = {name, scene.mouse.x, std::max(view.pitch_x, 1.0f), view.shape.row_length()};
    if (own && !touch.held) drag.reset();
    if (own && touch.held) {
        const auto by = static_cast<double>((scene.mouse.x - drag->from_x) / drag->pitch);
        scene.view.general.rows[name] =
            row_length_within(view, static_cast<double>(drag->row_length) + std::round(by));
    }
    if (!touch.hovered && !touch.held) return;
    fill_rect({view.window.right() - scene.u(1), edge.y, scene.u(3), edge.h}, scene.colors().accent,
              scene.u(1));
}

void drag_window(Scene& scene, const GlobalView& view) {
    if (view.whole() || !scene.mouse_here) return;
    const ImGuiIO& io = ImGui::GetIO();
    const bool pressed = scene.view.dragging && io.MouseDown[ImGuiMouseButton_Left];
    if (pressed && view.map.contains(scene.view.pressed_at)) {
        const float row = (scene.mouse.y - view.map.y) / view.map.h;
        const float column = (scene.mouse.x - view.map.x) / view.map.w;
        look_at(scene, view, row * static_cast<float>(view.rows) - view.visible_rows() / 2,
                column * static_cast<float>(view.columns) - view.visible_columns() / 2);
        return;
    }
    const Rect inner{view.window.x, view.window.y, view.window.w - scene.u(6), view.window.h};
    const bool moved = io.MouseDelta.x != 0 || io.MouseDelta.y != 0;
    if (pressed && moved && !scene.view.general.drag && inner.contains(scene.view.pressed_at)) {
        look_at(scene, view, view.row0 - io.MouseDelta.y / view.pitch_y,
                view.column0 - io.MouseDelta.x / view.pitch_x);
        return;
    }
    if (io.MouseWheel != 0 && inner.contains(scene.mouse))
        look_at(scene, view, view.row0 - 2 * io.MouseWheel, view.column0);
}

}  // namespace tilereel::stage

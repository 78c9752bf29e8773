// The controls of a global array's picture: the row length, and the part that the window shows.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/stage/general/general.h"
#include "app/stage/scene.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::uint32_t kLongestRow = 1u << 20;  // the same as in KeptState

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
        right -= width + scene.look.tight();
        return {right + scene.look.tight(), y, width, h};
    }
    // Draws a button, if there is room. Returns true when it is clicked.
    bool press(const char* name, const std::string& label, float width, std::string_view tip) {
        const Rect place = take(width);
        return place.w > 0 && text_button(scene.look, prefix + name, place, label, false, tip);
    }
};

float chooser_height(const Look& look) { return look.tight() + look.font_px(16); }

// The width of the button that opens the list of row lengths.
float rows_chooser_width(const Look& look, std::uint32_t row_length) {
    return chooser_width(look, rows_text(row_length)) + look.px(14);
}

constexpr const char* kTypeANumber = "type a number\xe2\x80\xa6";

// The row length that the user typed; nullopt if it is not a whole number from 1 to `most`.
std::optional<std::uint32_t> row_length_typed(const std::string& text, std::uint64_t most) {
    std::uint64_t length = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (problem != std::errc() || end != text.data() + text.size() || length < 1 || length > most)
        return std::nullopt;
    return static_cast<std::uint32_t>(length);
}

// Draws the text field until the edit ends. Enter or a click outside accepts a valid row length.
// Enter keeps the field open if the text is not valid; a click outside or Escape discards it.
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
        draw_text_on_top(scene, {said.x + scene.u(6), said.center().y}, typed.refused, style);
    }
    if (!end) return;
    const std::uint64_t most = std::clamp<std::uint64_t>(view.shape.cells(), 1, kLongestRow);
    const auto length = row_length_typed(typed.edit.text(), most);
    if (length) chosen.rows[name] = *length;
    if (length || end != EditEnd::kEnter || beside) return chosen.row_edit.reset();
    typed.refused = "type a whole number from 1 to " + with_commas(most);
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
    if (const Rect chip = buttons.take(rows_chooser_width(scene.look, now)); chip.w > 0) {
        const int asked =
            choice_chip(scene.look, buttons.prefix + ".rows", chip, "", labels, current,
                        "How many elements stand in a row; changes only the picture");
        if (asked == static_cast<int>(lengths.size())) {
            chosen.row_edit.emplace().array = name;
            chosen.row_edit->edit.begin(std::to_string(now));
        } else if (asked >= 0) {
            chosen.rows[name] = lengths[static_cast<std::size_t>(asked)];
        }
    }
    if (buttons.press(".fewer", "-", buttons.h,
                      "One element less in a row; changes only the picture"))
        chosen.rows[name] = row_length_within(view, now - 1.0);
}

// The label of the button that chooses which part of an array is shown; nullptr if there is none.
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
    const bool follows = label == std::string_view("follow");
    if (!buttons.press(follows ? ".follow" : ".part", label, chooser_width(scene.look, label),
                       follows        ? "Show again what is accessed (0)"
                       : view.whole() ? "A part of the array with its values"
                                      : "The whole array without its values"))
        return;
    if (!follows) {
        chosen.whole[name] = !view.whole();
        return;
    }
    if (const auto origin = chosen.origins.find(name); origin != chosen.origins.end())
        origin->second.held = false;
    std::erase(chosen.raised, name);
}

// Draws the name and beside it type and extents, if they fit at a readable size.
void draw_name(Scene& scene, ArrayId id, ColorRole role, ImVec2 at, float width) {
    constexpr float kLeastWords = 11;  // units
    const Array& array = scene.trace.arrays[id];
    const TextStyle name = scene.text(Face::kSemiBold, kNameType, scene.colors().solid(role));
    const TextStyle body = scene.body(scene.colors().ink2);
    const float w =
        scene.u(8) + draw_text_fit(at, width, array.name,
                                   shrunk(name, array.name, width, scene.f(kLeastNameType)));
    if (draw_route_in_title(scene, id, {at.x + w, at.y}, width - w)) return;
    std::string extents = array_text(array);
    extents.erase(0, array.type_text().size() + 2);
    for (const std::string& words : {array_text(array), extents}) {
        const TextStyle style = shrunk(body, words, width - w, scene.f(kLeastWords));
        if (text_width(words, style) > width - w) continue;
        draw_text({at.x + w, at.y}, words, style);
        return;
    }
}

// Moves the window to a cell that the user clicked, and keeps it there.
void look_at(Scene& scene, const GlobalView& view, float row, float column) {
    GeneralView::WindowOrigin& origin =
        scene.view.general.origins[scene.trace.arrays[view.array].name];
    origin = {row, column, true, true};
}

// The user drags the right edge of an array: longer or shorter rows.
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

// The user moves the window: on the map, in the window itself, or by the wheel.
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

}  // namespace

float chooser_width(const Look& look, const std::string& label) {
    return button_width(look, label, 20);
}

bool chip(const Scene& scene, const char* name, ImVec2 lower_right, const std::string& label,
          const char* tip) {
    const float w = chooser_width(scene.look, label), h = scene.u(6) + scene.f(16);
    const Rect rect{lower_right.x - w, lower_right.y - h - scene.u(6), w, h};
    return text_button(scene.look, name, rect, label, false, tip);
}

TitleWidths title_widths(const Look& look, const Array& array, const GlobalArray& its,
                         std::uint32_t row_length, const char* part) {
    TitleWidths widths;
    widths.words = text_width(array.name, Face::kSemiBold, look.font_px(kNameType)) +
                   text_width(array_text(array), Face::kRegular, look.font_px(14)) + 2 * look.gap();
    if (part != nullptr) widths.buttons = chooser_width(look, part) + look.tight();
    if (its.chooses_rows())
        widths.buttons +=
            rows_chooser_width(look, row_length) + 2 * chooser_height(look) + 3 * look.tight();
    return widths;
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
    if (array.space == Space::kSharedCluster) words += ", shared memory of the cluster";
    return words;
}

void draw_choosers(Scene& scene, const GlobalView& view, const GlobalArray& array) {
    const Array& its = scene.trace.arrays[view.array];
    const Rect& box = view.box;
    const float y = box.y + scene.u(4) + scene.f(9);
    const float h = chooser_height(scene.look);
    const TitleWidths widths = title_widths(scene.look, its, array, view.shape.row_length(),
                                            part_label(scene.view.general, view, its.name));
    Buttons buttons{scene,       "stage.global." + its.name, y - h / 2, h,
                    box.right(), box.x + widths.words};
    if (view.two_lines) {  // left-aligned below the name
        buttons.y = y + scene.f(12);
        buttons.left = box.x;
        buttons.right = std::min(box.right(), box.x + widths.buttons);
    }
    if (array.chooses_rows()) draw_row_chooser(buttons, view, array, its.name);
    draw_part_chooser(buttons, view, its.name);
    const float end = view.two_lines ? box.right() : buttons.right;
    draw_name(scene, view.array, view.role, {box.x, y}, end - box.x);
}

SmallMap draw_uses(Scene& scene, const GlobalView& view, const Rect& place) {
    const SmallMap map(scene, view.scaled_to(place));
    map.fill(scene.view.general.plan.uses().of_block(view.array, view.shape),
             scene.colors().tint(view.role));
    for_each_accessed(scene, view.array, [&](std::uint32_t, std::uint64_t cell) {
        if (cell < view.shape.cells())
            map.fill(one_cell(view.shape.place(cell)), scene.colors().solid(view.role));
    });
    return map;
}

void draw_strip(Scene& scene, const GlobalView& view) {
    const std::string& name = scene.trace.arrays[view.array].name;
    const Interaction touch = interact(scene.look, "stage.global." + name + ".raise", view.box,
                                       "Show its values, and keep them in sight; back: 0");
    if (touch.clicked) scene.view.general.raised.push_back(name);
    const ImU32 color =
        scene.colors().solid(touch.hovered ? ColorRole::kNone : view.role);  // kNone: ink
    const ImVec2 at{view.box.x, view.box.center().y};
    const float w =
        draw_text_fit(at, view.box.w, name, scene.text(Face::kSemiBold, kLeastNameType, color)) +
        scene.u(8);
    const float end = view.map.w > 0 && view.map.x > at.x ? view.map.x : view.box.right();
    draw_route_in_title(scene, view.array, {at.x + w, at.y}, end - at.x - w);
    if (view.map.w > 0) draw_uses(scene, view, view.map);
    register_widget("stage.global." + name, view.map.w > 0 ? view.map : view.box);
}

void draw_map_and_drag(Scene& scene, const GlobalView& view, const GlobalArray& array) {
    if (!view.whole()) {
        draw_uses(scene, view, view.map).frame(scene, view.visible());
        register_widget("stage.global." + scene.trace.arrays[view.array].name + ".map", view.map);
    }
    drag_window(scene, view);
    if (array.one_extent) drag_row_length(scene, view);
}

}  // namespace tilereel::stage

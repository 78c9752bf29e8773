// The controls of the Pattern lab: the expression, the block, the element, the access and the GPU.
#include <algorithm>
#include <array>
#include <string>

#include "app/panels/patterns/pattern_views.h"
#include "app/ui/widgets/controls.h"

namespace tilereel {
namespace {

constexpr std::array<std::string_view, 4> kBlocks = {"8 \xc3\x97 8", "16 \xc3\x97 16",
                                                     "32 \xc3\x97 32", "32 \xc3\x97 8"};
constexpr std::array<std::array<std::int64_t, 3>, 4> kBlockExtents = {
    {{8, 8, 1}, {16, 16, 1}, {32, 32, 1}, {32, 8, 1}}};
constexpr std::array<std::string_view, 5> kElements = {"1 B", "2 B", "4 B", "8 B", "16 B"};
constexpr std::array<std::uint32_t, 5> kWidths = {1, 2, 4, 8, 16};
constexpr std::array<std::string_view, 4> kAccesses = {"load", "store", "ldmatrix", "stmatrix"};
constexpr std::array kOperations = {Operation::kLoad, Operation::kStore, Operation::kMatrixLoad,
                                    Operation::kMatrixStore};
constexpr std::array<std::string_view, 3> kMatrices = {"x1", "x2", "x4"};
constexpr std::array<std::string_view, 2> kMemories = {"shared", "global"};

float width_of(const PatternContext& lab, std::span<const std::string_view> labels) {
    float width = 0;
    for (const std::string_view label : labels)
        width += text_width(label, Face::kRegular, lab.look.font_px(15)) + lab.look.px(22);
    return width;
}

// Draws a bar below the character at which the expression is wrong.
void mark_wrong(const PatternContext& lab, const Rect& text, const TextStyle& style,
                const std::string& expression, std::size_t at) {
    const auto width_to = [&](std::size_t byte) {
        return text_width(std::string_view(expression).substr(0, byte), style.face, style.px);
    };
    const float advance = text_width("0", style);
    const float x =
        std::min(text.x + width_to(std::min(at, expression.size())), text.right() - advance);
    const Rect bar{x, text.center().y + 0.75f * style.px, advance, lab.look.px(3)};
    register_widget("patterns.wrong", bar);
    fill_rect(bar, lab.colors().conflict, lab.look.px(1.5f));
}

void draw_expression(const PatternContext& lab, const Rect& box) {
    constexpr std::string_view kName = "patterns.expression";
    const PatternQuestion& question = lab.lab.question();
    std::optional<TextEdit>& edit = lab.memory.edit;
    if (edit) {
        register_widget(kName, box);
        // A click outside the field ends the edit.
        if (ImGui::IsMouseClicked(0) && !ImGui::IsMouseHoveringRect(box.min(), box.max()))
            edit.reset();
    } else if (interact(lab.look, kName, box,
                        "An index of tx, ty, tz, lane, warp and numbers, or a layout such as "
                        "Swizzle<3,3,3> o (64,64):(64,1): click and type (Enter)")
                   .clicked ||
               take_focus(kName)) {
        edit.emplace();
        edit->begin(question.expression);
    }
    const Palette& colors = lab.colors();
    const bool wrong = !lab.lab.problem().empty();
    draw_box(box, colors.bg,
             wrong  ? colors.conflict
             : edit ? colors.accent
                    : colors.line,
             lab.look.px(edit || wrong ? 2 : 1), lab.look.corner());
    const float pad = lab.look.wide();
    const Rect inner{box.x + pad, box.y, box.w - 2 * pad, box.h};
    const TextStyle style{Face::kMono, std::min(lab.type(20), 0.55f * box.h), colors.ink};
    std::string text = question.expression;
    bool ended = false;
    if (edit) {
        ended = edit->draw(kName, inner, style).has_value();
        text = edit->text();
    } else {
        draw_text_fit({inner.x, inner.center().y}, inner.w, text, style);
    }
    if (const auto at = lab.lab.wrong_at(); at && text == question.expression)
        mark_wrong(lab, inner, style, text, *at);
    if (ended) edit.reset();
    if (text == question.expression) return;
    PatternQuestion next = question;
    next.expression = text;
    lab.ask(next);
}

// Joined buttons or, as `menu`, the current choice, below which the others open.
std::optional<std::size_t> choose(const PatternContext& lab, PatternRow& row, const char* caption,
                                  const char* name, std::span<const std::string_view> labels,
                                  std::size_t now, bool menu, const char* tip) {
    if (menu) return row.menu(caption, name, {labels.begin(), labels.end()}, now, tip);
    const Rect place = row.next(caption, width_of(lab, labels));
    const int pressed = segmented(lab.look, name, place, labels, static_cast<int>(now), tip);
    return pressed < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(pressed));
}

// The choice of one field of the question.
template <std::size_t Count, class Value>
void draw_choice(const PatternContext& lab, PatternRow& row, const char* caption, const char* name,
                 const std::array<std::string_view, Count>& labels,
                 const std::array<Value, Count>& values, Value PatternQuestion::*field,
                 const char* tip) {
    PatternQuestion next = lab.lab.question();
    const auto now = std::ranges::find(values, next.*field) - values.begin();
    const auto chosen =
        choose(lab, row, caption, name, labels, static_cast<std::size_t>(now), lab.compact, tip);
    if (!chosen) return;
    next.*field = values[*chosen];
    lab.ask(next);
}

// In a small room only the current one is shown, and the others open below it.
void draw_access(const PatternContext& lab, PatternRow& row, float room) {
    constexpr float kLeastColumns = 75;
    constexpr const char* kTip =
        "Whether the threads read or write; ldmatrix and stmatrix take matrices of 8 rows of 16 "
        "bytes (A)";
    const PatternQuestion& question = lab.lab.question();
    const auto now = static_cast<std::size_t>(std::ranges::find(kOperations, question.operation) -
                                              kOperations.begin());
    const bool menu = lab.compact || room < kLeastColumns * lab.type(14);
    if (const auto chosen =
            choose(lab, row, "access", "patterns.access", kAccesses, now, menu, kTip))
        lab.ask(with_operation(question, kOperations[*chosen]));
}

// The warp, or the load of a tile.
void draw_request(const PatternContext& lab, PatternRow& row) {
    std::vector<std::string> requests;
    for (std::uint32_t request = 0; request < lab.answer().requests; ++request)
        requests.push_back(std::to_string(request));
    PatternQuestion next = lab.lab.question();
    const char* const caption = lab.loads_tile() ? "load of the tile" : "warp";
    if (const auto chosen =
            row.menu(caption, "patterns.warp", requests,
                     std::min<std::size_t>(next.warp, requests.size() - 1),
                     "The request that is shown: of a warp of the block, or of the tile")) {
        next.warp = static_cast<std::uint32_t>(*chosen);
        lab.ask(next);
    }
}

}  // namespace

float draw_pattern_controls(const PatternContext& lab, const Rect& room, bool with_rows) {
    PatternRow row(lab, room);
    const float px = lab.type(20);
    // A layout is longer than most indices.
    const std::size_t letters = std::max<std::size_t>(lab.lab.question().expression.size() + 3, 22);
    const Rect place = row.next(
        lab.shared() ? "index or layout in shared memory" : "index or layout in global memory",
        std::min((letters > 22 ? 0.95f : 0.6f) * room.w,
                 static_cast<float>(letters) * text_width("0", Face::kMono, px)));
    if (!measures()) draw_expression(lab, place);
    const bool matrices = lab.lab.question().of_matrices();
    if (!lab.loads_tile())
        draw_choice(lab, row, "block", "patterns.block", kBlocks, kBlockExtents,
                    &PatternQuestion::block, "Threads of a block, x by y");
    draw_choice(lab, row, "element", "patterns.element", kElements, kWidths,
                &PatternQuestion::width_bytes, "Bytes of an element, which each thread accesses");
    draw_access(lab, row, room.w);
    if (matrices)
        draw_choice(lab, row, "matrices", "patterns.matrices", kMatrices,
                    std::array<std::uint32_t, 3>{1, 2, 4}, &PatternQuestion::matrices,
                    "Matrices of a request: 8 lanes name the rows of each (N)");
    else
        draw_choice(lab, row, "memory", "patterns.memory", kMemories,
                    std::array{Space::kShared, Space::kGlobal}, &PatternQuestion::space,
                    "Shared memory has banks, global memory has sectors and lines");
    std::vector<std::string> titles;
    std::size_t current = 0;
    for (const Generation& generation : generations()) {
        if (generation.id == lab.lab.question().generation) current = titles.size();
        titles.emplace_back(generation.title);
    }
    PatternQuestion next = lab.lab.question();
    if (const auto chosen = row.menu("GPU", "patterns.gpu", titles, current,
                                     "The GPU generation whose rules count")) {
        next.generation = generations()[*chosen].id;
        lab.ask(next);
    }
    draw_request(lab, row);
    if (with_rows) add_pattern_layout(lab, row);
    return row.bottom() - room.y;
}

}  // namespace tilereel

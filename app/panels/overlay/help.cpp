// A card with all keyboard shortcuts.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/overlay/overlay.h"

namespace tilereel {
namespace {

struct KeyHelp {
    const char *keys, *does;
};
constexpr auto kKeys = std::to_array<KeyHelp>({
    {"Space", "play, pause"},
    {"Left  Right", "previous step, next step"},
    {"Page Up  Page Down", "previous, next part: load, barrier, compute"},
    {"Shift+Left  Shift+Right", "previous, next phase; also Shift+Page Up, Down"},
    {"N  G  E", "next conflict, barrier, finding (Shift: previous)"},
    {"J", "go to: type 120 (a tick), line 23, block 2,1, warp 3 or lane 5"},
    {"A", "repeat one phase, or go on"},
    {"Home  End", "to the start, to the end"},
    {"Shift+Home", "back to what the program opened with"},
    {"[  ]", "slower, faster"},
    {"P", "padding off, on"},
    {"Shift+B", "leave out the first barrier, the next one, none"},
    {"W  L", "choose a warp, a lane: its part of C, its sums"},
    {"Y", "follow it: its next request (Shift: previous)"},
    {"O", "shared cells show values, or elements of A and B"},
    {"R", "race this kernel and its counterpart at full speed"},
    {"C", "compare with another launch; both sides, one large"},
    {"U", "heat map: how often each element was read, global, shared"},
    {"Shift+U", "heat per line: ticks, accesses, sectors, wavefronts"},
    {"T", "dark theme, light theme"},
    {"Z", "motion off, on; [ slows the replay"},
    {"+  -", "larger text, smaller text"},
    {"H", "phase table: what each thread does in each phase"},
    {"V", "a program's variables, lane by lane, or its requests"},
    {",  .", "a program's previous, next launch"},
    {"K", "a program's block: choose or type one, recorded or not"},
    {"Ctrl+O  Ctrl+R", "open a program or a trace; run it again"},
    {"Ctrl+C", "copy this view as a command that opens it again"},
    {"I", "about the kernel: idea, facts, sources"},
    {"F  F11", "full screen"},
    {"1  2  3  4", "replay, race, lessons, patterns"},
    {"Page Down  Page Up", "lesson: on, back; Home, End: first, last scene"},
    {"R", "lesson: race the kernels shown here, where there is a GPU"},
    {"Q", "predict first: asks what comes, Page Down answers"},
    {"F5", "present: full screen, large, without hints"},
    {"M  S  D  X", "presenting: magnifier, spotlight, pen, wipe the pen off"},
    {"B  .  W", "presenting: black, black, white screen"},
    {"0", "reset the zoom; all cells, or the watched part with its values"},
    {"Mouse wheel", "zoom the picture, scroll a panel"},
    {"Drag the picture", "move it"},
    {"Click an array's strip", "show its values, where not all arrays have room"},
    {"Click on a cell", "go to its next access; on C: its thread, again: its access"},
    {"Click on a block", "watch it; a program's block that was not recorded is recorded first"},
    {"Drag the timeline", "go to any tick"},
    {"Tab", "type M, N, K, then choose TILE and PAD"},
    {"L", "race: choose lines"},
    {"Enter  Page Down", "patterns: type an index expression; next preset"},
    {"Left Right  Up Down", "patterns: padding; XOR swizzle"},
    {"?", "this help"},
    {"Enter  Tab", "take the size that is offered, choose the next"},
    {"Esc", "close what is open"},
});

void draw_key(const Look& look, float left, float middle, float px, const KeyHelp& key,
              float column) {
    const Palette& colors = look.colors();
    float x = left;
    std::string_view rest = key.keys;
    while (!rest.empty()) {  // two spaces separate the keys; each key is drawn as a separate cap
        const std::size_t end = std::min(rest.find("  "), rest.size());
        const std::string_view cap = rest.substr(0, end);
        const float width = text_width(cap, Face::kSemiBold, px) + 0.9f * px;
        const Rect box{x, middle - 0.82f * px, width, 1.64f * px};
        draw_box(box, colors.raised, colors.line, look.line(), look.px(5));
        draw_text(box.center(), cap, {Face::kSemiBold, px, colors.ink, Align::kCenter});
        x += width + 0.4f * px;
        rest.remove_prefix(std::min(rest.size(), end + 2));
    }
    draw_text({left + column, middle}, key.does, {Face::kRegular, px, colors.ink2});
}

constexpr float kKeyRow = 2.05f;  // row height, as a multiple of the font size

struct KeysPlan {
    std::size_t columns = 1;
    float px = 0, keys = 0, does = 0;  // type, and the widths of a column's two halves
    float margin = 0, width = 0, height = 0;
};
// The largest font at which all keys fit the screen in so many columns.
KeysPlan plan_keys(const Look& look, const Rect& screen, std::size_t columns) {
    KeysPlan plan;
    plan.columns = columns;
    plan.margin = look.margin();
    const auto rows = static_cast<float>((kKeys.size() + columns - 1) / columns);
    for (plan.px = std::floor(type_px(look, 15)); plan.px > 8; plan.px -= 1) {
        plan.keys = plan.does = 0;
        for (const KeyHelp& key : kKeys) {
            plan.keys = std::max(plan.keys,
                                 text_width(key.keys, Face::kSemiBold, plan.px) + 3.6f * plan.px);
            plan.does = std::max(plan.does, text_width(key.does, Face::kRegular, plan.px));
        }
        const auto count = static_cast<float>(columns);
        plan.width = count * (plan.keys + plan.does + plan.margin) + plan.margin;
        plan.height = (rows * kKeyRow + 3.2f) * plan.px + 2 * plan.margin;
        if (plan.width <= screen.w - look.pad() && plan.height <= screen.h - look.pad()) break;
    }
    return plan;
}

}  // namespace

Commands draw_help(const Look& look, const Rect& screen, const Workbench& workbench,
                   PanelMemory& /*memory*/) {
    if (!workbench.view().help) return {};
    // Two columns if they allow a larger font than one.
    const KeysPlan one = plan_keys(look, screen, 1), two = plan_keys(look, screen, 2);
    const KeysPlan plan = two.px > one.px ? two : one;
    const Rect card = centered_card(screen, plan.width, plan.height);
    Commands commands;
    begin_card(look, "help", screen, card, true);
    draw_text({card.x + plan.margin, card.y + plan.margin + plan.px}, "Keys",
              {Face::kBold, 1.35f * plan.px, look.colors().ink});
    const std::size_t rows = (kKeys.size() + plan.columns - 1) / plan.columns;
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
        const float x = card.x + plan.margin +
                        static_cast<float>(i / rows) * (plan.keys + plan.does + plan.margin);
        const float y =
            card.y + plan.margin + (4 + kKeyRow * static_cast<float>(i % rows)) * plan.px;
        draw_key(look, x, y, plan.px, kKeys[i], plan.keys);
    }
    if (card_closed(look, "help.close", card)) commands.push_back(ToggleHelp{});
    end_card();
    return commands;
}

}  // namespace tilereel

// A card with all keyboard shortcuts.
#include <algorithm>
#include <array>

#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/overlay/overlay.h"
#include "app/ui/scroll_bar.h"
#include "app/ui/utf8.h"

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
    {"Y", "next request of the chosen warp or lane (Shift: previous)"},
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
    {"Click on a cell", "go to its next access; on C the first click chooses its thread"},
    {"Click on a block", "watch it; a program's block that was not recorded is recorded first"},
    {"Drag the timeline", "go to any tick"},
    {"Tab", "type M, N, K, then choose TILE and PAD"},
    {"L", "race: choose lines"},
    {"Enter  Page Down", "patterns: type an index expression; next preset"},
    {"Left Right  Up Down", "patterns: padding; XOR swizzle"},
    {"?", "this help"},
    {"Enter  Tab", "take the size that is offered, choose the next"},
    {"Enter", "add the files in which a program's missing functions are"},
    {"Esc", "close what is open"},
});

constexpr float kKeyRow = 2.05f;  // row height, as a multiple of the font size

// Draws each key as a cap. Two spaces separate the keys. Returns the width in pixels.
float draw_caps(const Look& look, ImVec2 at, float px, std::string_view keys) {
    const Palette& colors = look.colors();
    const float left = at.x;
    for (const std::string_view cap : split(keys, "  ")) {
        const float width = text_width(cap, Face::kSemiBold, px) + 0.9f * px;
        const Rect box{at.x, at.y - 0.82f * px, width, 1.64f * px};
        draw_box(box, colors.raised, colors.line, look.line(), look.corner());
        draw_text(box.center(), cap, {Face::kSemiBold, px, colors.ink, Align::kCenter});
        at.x += width + 0.4f * px;
    }
    return at.x - left;
}

}  // namespace

Commands draw_help(const Look& look, const Rect& screen, const Workbench& workbench,
                   PanelMemory& memory) {
    if (!workbench.view().help) return {};
    const float px = type_px(look, 15), margin = look.margin(), head = 3 * px;
    float keys = 0;
    for (const KeyHelp& key : kKeys)
        keys = std::max(keys, measured([&] { return draw_caps(look, {}, px, key.keys); }) + px);
    const float column = keys + widest(kKeys, Face::kRegular, px, &KeyHelp::does) + margin;
    // Two columns if they fit the screen. What is higher than the screen scrolls.
    const std::size_t columns = 2 * column + margin < screen.w ? 2 : 1;
    const std::size_t rows = (kKeys.size() + columns - 1) / columns;
    const float length = static_cast<float>(rows) * kKeyRow * px;
    const Rect card = centered_card(screen, static_cast<float>(columns) * column + margin,
                                    std::min(screen.h - margin, head + length + 2 * margin));
    begin_card(look, "help", screen, card, true);
    draw_text({card.x + margin, card.y + margin + px}, "Keys",
              {Face::kBold, 1.35f * px, look.colors().ink});
    {
        const float top = card.y + margin + head;
        const ScrollArea area(look, {card.x, top, card.w, card.bottom() - margin - top}, length,
                              memory.parts().help_scroll);
        for (std::size_t i = 0; i < kKeys.size(); ++i) {
            const float x = card.x + margin + static_cast<float>(i / rows) * column;
            const float y = area.top() + (static_cast<float>(i % rows) + 0.5f) * kKeyRow * px;
            draw_caps(look, {x, y}, px, kKeys[i].keys);
            draw_text({x + keys, y}, kKeys[i].does, {Face::kRegular, px, look.colors().ink2});
        }
    }
    return end_card(look, "help.close", card) ? Commands{ToggleHelp{}} : Commands{};
}

}  // namespace tilereel

#include "app/panels/source/source_barriers.h"

#include <algorithm>
#include <cmath>

#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr std::string_view kLeaveOut =
    "Leave this barrier out and see what goes wrong (Shift+B: the first one, then the next)";
constexpr std::string_view kPutBack =
    "Put this barrier back (Shift+B after the last one puts all back)";
constexpr std::string_view kLeftOut = "left out";

// Draws a small version of the stage's barrier: two yellow bars, or a dashed outline if it is left
// out.
void draw_gate(const Look& look, const Rect& box, bool left_out, bool hovered) {
    const Palette& colors = look.colors();
    const float edge = std::max(1.0f, look.frame());
    if (hovered) fill_rect(box.inset(-look.hair()), mix(colors.panel, colors.ink, 0.16f), 3);
    if (left_out) {
        dashed_rect(box, colors.accent, edge, look.px(2.5f));
        return;
    }
    draw_icon(Icon::kWait, box.center(), 0.6f * box.h, colors.wait_text, edge);
}

}  // namespace

const KernelInfo* kernel_with_lines(const Workbench& workbench, std::string_view source) {
    const KernelInfo* kernel = find_kernel(workbench.request().kernel);
    return kernel != nullptr && kernel->source == source ? kernel : nullptr;
}

bool is_barrier(const KernelInfo* kernel, std::uint32_t line) {
    return kernel != nullptr && std::ranges::any_of(kernel->barriers, [line](const auto& barrier) {
               return barrier.line == static_cast<int>(line);
           });
}

Commands draw_barrier_control(const Look& look, const Rect& gutter, float marks, std::uint32_t line,
                              const Workbench& workbench) {
    const bool left_out = workbench.request().removed_barrier == line;
    const Interaction touch = interact(look, "source.barrier." + std::to_string(line), gutter,
                                       left_out ? kPutBack : kLeaveOut);
    const float side = std::round(std::min(marks - look.gap(), gutter.h - look.tight()));
    if (side > 3)
        draw_gate(look,
                  {std::round(gutter.x + look.px(3)), std::round(gutter.center().y - side / 2),
                   side, side},
                  left_out, touch.hovered);
    if (!touch.clicked) return {};
    return {RemoveBarrier{left_out ? 0 : static_cast<int>(line)}};
}

void draw_left_out(const Look& look, ImVec2 code, float code_right, float right, float px) {
    const Palette& colors = look.colors();
    const float line = std::max(2.0f, std::round(px / 7));
    fill_rect({code.x - look.hair(), std::round(code.y - line / 2),
               code_right - code.x + look.tight(), line},
              colors.ink);
    // If there is no room after the code, the label covers the end of the code.
    const float width = text_width(kLeftOut, Face::kBold, px) + 0.9f * px;
    const Rect pill{std::min(code_right + look.px(10), right - width), code.y - 0.72f * px, width,
                    1.44f * px};
    draw_box(pill, colors.accent_tint, colors.accent, look.frame(), look.px(4));
    draw_text({pill.center().x, code.y}, kLeftOut, {Face::kBold, px, colors.ink, Align::kCenter});
}

Commands next_barrier_left_out(const Workbench& workbench) {
    const KernelInfo* kernel = find_kernel(workbench.request().kernel);
    if (kernel == nullptr || kernel->barriers.empty()) return {};
    const auto now = static_cast<int>(workbench.request().removed_barrier);
    for (const KernelBarrier& barrier : kernel->barriers)
        if (barrier.line > now) return {RemoveBarrier{barrier.line}};
    return {RemoveBarrier{0}};
}

}  // namespace tilereel

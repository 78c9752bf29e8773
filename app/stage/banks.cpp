// The banks: in rows of 16 below the tiles, or 4 to a row beside them.
#include <algorithm>
#include <cmath>

#include "app/replay/facts.h"
#include "app/stage/bank_use.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

std::string number(std::uint32_t n) { return std::to_string(n); }

// Draws a bank with `text`, or else the lane that it serves, and a bar if it serves several lanes
// with one word.
void draw_bank(Scene& scene, const Rect& rect, std::uint32_t bank, const BanksNow& now, float px,
               std::string text = {}) {
    const BankUse& use = now.bank[bank];
    const CellLook look = look_of_bank(use);
    if (text.empty() && !use.now.empty()) text = number(use.now.front());
    draw_bank_cell(scene, rect, look, scene.role_of_request(), text, px);
    if (use.now.size() > 1) {  // a broadcast: all these lanes read the same word
        const Rect bar{rect.x + scene.u(3), rect.y + scene.u(3), rect.w - scene.u(6), scene.u(2)};
        fill_rect(bar, scene.colors().on);
    }
    if (scene.mouse_here && rect.contains(scene.mouse)) hover_bank(scene, bank);
}

// Draws the lanes that wait at the bank with the longest queue.
void draw_queue(Scene& scene, const Rect& area, float pitch, float height, const BanksNow& now) {
    if (now.worst == kNoIndex) return;
    const BankUse& use = now.bank[now.worst];
    const float px = std::min(scene.f(11), pitch * 0.66f);
    const auto in_row = static_cast<std::uint32_t>(std::max(1.0f, area.w / pitch));
    std::uint32_t place = 0;
    const auto put = [&](std::uint32_t lane, CellLook look) {
        const float x = area.x + static_cast<float>(place % in_row) * pitch;
        const float y = area.y + static_cast<float>(place / in_row) * (height + scene.u(4));
        ++place;
        if (y + height <= area.bottom())
            draw_bank_cell(scene, {std::round(x), y, pitch - scene.u(2), height}, look,
                           ColorRole::kNone, number(lane), px);
    };
    for (const std::uint32_t lane : use.waiting) put(lane, CellLook::kConflictWaiting);
}

void draw_two_rows(Scene& scene, const BanksNow& now) {
    const Palette& colors = scene.colors();
    const Rect& area = scene.layout.bank_area;
    const float heading = area.y + scene.u(8) + scene.f(9);
    const float w =
        draw_text({area.x, heading}, number(scene.banks()) + " banks",
                  scene.text(Face::kSemiBold, scene.layout.small ? 15 : 20, colors.ink));
    const bool conflict = now.worst != kNoIndex;
    const std::string caption = caption_of_banks(scene, now);
    const float free = area.w - w - scene.u(12);
    float size = 14;
    while (size > 11 && text_width(caption, Face::kSemiBold, scene.f(size)) > free) --size;
    const TextStyle style_of_caption = scene.text(conflict ? Face::kSemiBold : Face::kRegular, size,
                                                  conflict ? colors.conflict : colors.ink2);
    const float caption_w =
        std::min(free, text_width(caption, style_of_caption.face, style_of_caption.px));
    draw_text_shrunk(scene, {area.right() - caption_w, heading}, caption_w + 1, caption,
                     style_of_caption);

    LastShared last;
    const bool has_last = now.idle && last_shared(scene, last);
    const float pitch = area.w / 16, cell_h = scene.u(30);
    const float index_h = scene.f(11);
    const float row_pitch = cell_h + index_h + scene.u(9);
    const float top = heading + scene.u(11) + scene.f(12);
    const float px = std::min(scene.f(11), pitch * 0.7f);
    for (std::uint32_t bank = 0, joined = 1; bank < scene.banks(); ++bank) {
        const float x = area.x + static_cast<float>(bank % 16) * pitch;
        const float y = top + static_cast<float>(bank / 16) * row_pitch;
        const Rect rect{std::round(x), y, std::floor(pitch - scene.look.px(1.5f)), cell_h};
        if (--joined == 0) {  // the banks of a wide access are drawn as one cell
            joined = joined_banks(scene, now, bank, (bank / 16 + 1) * 16);
            Rect wide = rect;
            wide.w = std::floor(pitch * static_cast<float>(joined) - scene.look.px(1.5f));
            draw_bank(scene, wide, bank, now, px);
        }
        if (has_last && (last.banks >> bank & 1) != 0)
            fill_rect(
                {rect.x + scene.u(2), rect.bottom() - scene.u(5), rect.w - scene.u(4), scene.u(3)},
                colors.solid(scene.plan.role(last.site->array)));
        draw_text({rect.center().x, rect.bottom() + scene.u(4) + index_h / 2}, number(bank),
                  {Face::kMono, px, colors.ink3, Align::kCenter});
    }
    const auto bank_rows = static_cast<float>((scene.banks() + 15) / 16);
    register_widget("stage.banks", {area.x, top, area.w, bank_rows * row_pitch});
    const float below = top + bank_rows * row_pitch + scene.u(5) + scene.f(8);
    if (below > area.bottom() - scene.u(6)) return;
    const TextStyle style = scene.text(Face::kRegular, 14, colors.ink3);
    if (has_last) {
        std::string verb = "last request: " + std::string(request_word(last.site->operation)) + " ";
        const std::string& name = scene.trace.arrays[last.site->array].name;
        const std::string wavefronts = ", " + plural(last.wavefronts, "wavefront", "wavefronts");
        if (text_width(verb + name + wavefronts, style.face, style.px) > area.w)
            verb.erase(4, std::string_view(" request").size());
        float x = area.x + draw_text({area.x, below}, verb, style);
        x += draw_text(
            {x, below}, name,
            scene.text(Face::kSemiBold, 14, colors.solid(scene.plan.role(last.site->array))));
        draw_text_shrunk(scene, {x, below}, area.right() - x, wavefronts, style);
        return;
    }
    draw_text_shrunk(scene, {area.x, below}, area.w, banks_text(scene, now, true), style);
    const float queue = below + scene.f(10) + scene.u(6);
    draw_queue(scene, {area.x, queue, area.w, area.bottom() - scene.u(6) - queue}, pitch,
               scene.u(4) + scene.f(14), now);
}

void draw_eight_rows(Scene& scene, const BanksNow& now) {
    const Palette& colors = scene.colors();
    const Rect& area = scene.layout.bank_area;
    const bool small = scene.layout.small;
    const float heading = area.y + (small ? scene.u(2) + scene.f(14) : scene.u(14) + scene.f(18));
    draw_text_shrunk(scene, {area.x, heading}, area.w, number(scene.banks()) + " banks",
                     scene.text(Face::kSemiBold, small ? 15 : 20, colors.ink));
    const float top = heading + scene.u(8) + scene.f(small ? 10 : 14);
    // Below the banks: the number of wavefronts, then lanes and banks, or the queue if it is only
    // partly visible.
    const float below = scene.u(6) + scene.f(10) + scene.f(12) + scene.u(4);
    const float pitch_x = area.w / 4;
    const auto bank_rows = static_cast<float>((scene.banks() + 3) / 4);
    const float pitch_y = std::min({scene.u(8) + scene.f(20), pitch_x * 0.9f,
                                    std::floor((area.bottom() - below - top) / bank_rows)});
    const float px = std::min({scene.f(11), pitch_y * 0.6f, pitch_x * 0.5f});
    for (std::uint32_t bank = 0, joined = 1; bank < scene.banks(); bank += joined) {
        joined = joined_banks(scene, now, bank, (bank / 4 + 1) * 4);
        const Rect rect{std::round(area.x + static_cast<float>(bank % 4) * pitch_x),
                        top + static_cast<float>(bank / 4) * pitch_y,
                        std::floor(pitch_x * static_cast<float>(joined) - scene.u(3)),
                        pitch_y - scene.u(4)};
        draw_bank(scene, rect, bank, now, px,
                  number(bank) + (joined > 1 ? ".." + number(bank + joined - 1) : ""));
    }
    register_widget("stage.banks", {area.x, top, area.w, bank_rows * pitch_y});
    float y = top + bank_rows * pitch_y + scene.u(6) + scene.f(10);
    const bool conflict = now.worst != kNoIndex;
    std::string head = caption_of_banks(scene, now);
    if (!now.idle && !conflict)
        head = plural(scene.state.request.cost.wavefronts, "wavefront", "wavefronts");
    float size = now.idle ? 14 : 20;
    while (size > 12 && text_width(head, Face::kBold, scene.f(size)) > area.w) --size;
    draw_text_shrunk(scene, {area.x, y}, area.w, head,
                     scene.text(now.idle ? Face::kRegular : Face::kBold, size,
                                conflict   ? colors.conflict
                                : now.idle ? colors.ink2
                                           : colors.ink));
    if (now.idle) return;
    y += scene.f(24);
    if (y + scene.f(8) > area.bottom()) return;
    std::string words =
        plural(now.lanes, "lane", "lanes") + ", " + plural(now.used, "bank", "banks");
    if (text_width(words, Face::kRegular, scene.f(14)) > area.w)
        words = plural(now.used, "bank", "banks");
    if (conflict) words = "queue at bank " + number(now.worst);
    draw_text_shrunk(scene, {area.x, y}, area.w, words,
                     scene.text(Face::kRegular, 14, colors.ink2));
    y += scene.f(11) + scene.u(4);
    draw_queue(scene, {area.x, y, area.w, area.bottom() - scene.u(8) - y}, area.w / 6,
               scene.u(4) + scene.f(14), now);
}

}  // namespace

void draw_banks(Scene& scene) {
    const BanksNow now = banks_now(scene);
    if (scene.layout.banks == BanksForm::kEightRows)
        draw_eight_rows(scene, now);
    else
        draw_two_rows(scene, now);
}

}  // namespace tilereel::stage

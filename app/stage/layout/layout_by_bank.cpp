// Shared arrays in the layout of the banks: each column is one bank.
#include "app/stage/layout/layout_parts.h"

namespace tilereel::stage {
namespace {

constexpr float kNumberRow = 13;  // units: a row for a number with a font of 11

// Whether the array gets tall rows: the arrays with the most conflicts do; without conflicts, the
// padded arrays; without these, all.
bool is_tall(const Measure& m, const SharedUse& use) {
    std::uint64_t worst = 0;
    bool any_padded = false;
    const auto padded = [&m](const SharedUse& other) {
        const Array& array = m.trace.arrays[other.array];
        return array.leading_dimension > array.columns;
    };
    for (const SharedUse& other : m.plan.shared()) {
        worst = std::max(worst, other.conflicts);
        any_padded = any_padded || padded(other);
    }
    if (worst > 0) return use.conflicts == worst;
    return !any_padded || padded(use);
}

// Rounds a pitch down to whole pixels. A pitch under 2 is rounded to eighths, at least one.
float rounded_down(float pitch) {
    return pitch >= 2 ? std::floor(pitch) : std::max(std::floor(pitch * 8) / 8, 0.125f);
}

}  // namespace

float above_banks(const Measure& m) { return m.small ? m.f(16) + m.u(15) : m.u(30) + m.f(55); }
float between_arrays(const Measure& m) { return m.u(14) + m.f(24); }
float tall_row(const Measure& m) { return m.u(16 * m.stretch()); }
float below_banks(const Measure& m, bool brief) {
    if (m.small) return m.u(80) + m.f(20);
    return brief ? m.u(88) + m.f(16) : m.u(130) + m.f(50);
}

void layout_by_bank(const Measure& m, StageLayout& out) {
    const std::vector<SharedUse>& uses = m.plan.shared();
    const auto banks = static_cast<float>(m.banks);
    const float width = std::floor(out.shared.w / banks) * banks;
    const float title = above_banks(m), between = between_arrays(m);
    std::uint32_t tall = 0, low = 0;
    std::vector<std::vector<SharedView>> planes;
    std::vector<bool> has_ring;
    float rings = 0;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        planes.push_back(views_of(m.trace.arrays[uses[i].array], uses[i].array, m.banks));
        (is_tall(m, uses[i]) ? tall : low) += planes[i][out.planes[i]].rows;
        has_ring.push_back(planes[i].size() > 1);
        if (has_ring.back()) rings += ring_below(m);
    }
    // In a low stage with large text the last arrays show only the plane that is in use: the banks
    // come first.
    const float around = title + between * (m.cells.arrays() - 1) + below_banks(m, true);
    for (std::size_t i = uses.size(); i-- > 0 && out.shared.h - around - rings < 0;) {
        if (has_ring[i]) rings -= ring_below(m);
        has_ring[i] = false;
    }
    // If there are very many rows, the text below the banks is left out.
    const float free = out.shared.h - title - between * (m.cells.arrays() - 1) - rings;
    const bool many = free - below_banks(m, false) < m.look.px(1) * static_cast<float>(tall + low);
    const float height = free - below_banks(m, many);
    // Low rows are up to 3 units high, or up to 2 if the tall rows would be too low for a number.
    const auto pitch_of_low = [&](float most) {
        const float share = height * 0.3f / static_cast<float>(std::max(1u, low));
        return low == 0 ? 0 : rounded_down(std::min(m.u(most), share));
    };
    const auto pitch_of_tall = [&](float low_pitch) {
        const float rest = height - low_pitch * static_cast<float>(low);
        const float share = rest / static_cast<float>(std::max(1u, tall));
        return rounded_down(std::min(tall_row(m), share));
    };
    const float low_pitch = pitch_of_low(pitch_of_tall(pitch_of_low(3)) < m.u(kNumberRow) ? 2 : 3);
    const float tall_pitch = pitch_of_tall(low_pitch);
    float y = out.shared.y + title;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        SharedView view = planes[i][out.planes[i]];
        view.show_all({out.shared.x, y}, {width / static_cast<float>(view.columns),
                                          is_tall(m, uses[i]) ? tall_pitch : low_pitch});
        view.title = {out.shared.x, y - (m.small ? m.u(4) + m.f(10) : m.u(7) + m.f(6))};
        out.arrays.push_back(view);
        y = view.window.bottom() + between;
        if (!has_ring[i]) continue;
        const float top = view.window.bottom() + ring_below(m) - small_height(m);
        add_ring(m, planes[i], {out.shared.x, top, width, small_height(m)}, true, out);
        y += ring_below(m);
    }
    y += m.u(20) - between;
    out.bank_area = {out.shared.x, y, width, out.shared.bottom() - y};
}

SharedForm by_bank_form(const Measure& m, const Rect& stage) {
    const auto columns = static_cast<float>(m.banks);
    const float room = stage.w - m.left() - m.gap() - m.right();
    const float pitch = std::floor(
        std::clamp(room * 0.56f / columns, m.u(13), m.u(m.banks < kBankColumns ? 34 : 26)));
    return {BanksForm::kOneRow, 0, pitch * columns};
}

}  // namespace tilereel::stage

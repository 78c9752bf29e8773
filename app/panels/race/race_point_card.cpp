#include "app/panels/race/race_plot_parts.h"

namespace tilereel {

void draw_point_card(const RaceContext& race, const PlottedPoint& point, float px) {
    const Look& look = race.look;
    const Palette& colors = race.colors();
    const Contender& contender = race.contenders()[point.contender];
    const RaceEntry& entry = race.shown->figures.entries[point.contender][point.size];
    const Statistics& spread = *entry.gflops;
    std::vector<std::string> lines;
    lines.push_back(figure_text(spread.median) + " GFLOPS, median of " +
                    std::to_string(spread.count));
    lines.push_back("slowest " + figure_text(spread.least) + ", middle half " +
                    figure_text(spread.first_quartile) + " to " +
                    figure_text(spread.third_quartile) + ", fastest " + figure_text(spread.most));
    if (spread_is_large(spread)) lines.push_back("uncertain: the machine was busy");
    if (race.bench.view().plot == RacePlot::kSpeedUp)
        lines.push_back(times_text(point.value) + " naive");
    if (race.bench.view().plot == RacePlot::kBandwidth)
        lines.push_back(figure_text(point.value) + " GB/s effective");
    if (const auto share = share_of_reference(race.shown->figures, point.contender, point.size))
        lines.push_back(figure_text(100 * *share) + " % of the reference");
    if (entry.outcome) lines.push_back("C verified before it was timed");
    if (entry.conditions.sm_clock_mhz)
        lines.push_back("SM clock " + figure_text(*entry.conditions.sm_clock_mhz) + " MHz");
    if (find_kernel(contender.kernel) != nullptr) lines.push_back("click: replay it");
    const std::string head = short_name(contender) + ", " + size_text(race.sizes()[point.size]);
    float width = text_width(head, Face::kSemiBold, px);
    for (const std::string& line : lines)
        width = std::max(width, text_width(line, Face::kRegular, px));
    const float pad = look.px(12), row = 1.45f * px;
    Rect card{point.at.x + look.px(18), point.at.y + look.px(18), width + 2 * pad,
              row * static_cast<float>(lines.size() + 1) + 1.4f * pad};
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if (card.right() > screen.x - pad) card.x = point.at.x - look.px(18) - card.w;
    if (card.bottom() > screen.y - pad) card.y = point.at.y - look.px(18) - card.h;
    ImDrawList* over = ImGui::GetForegroundDrawList();
    fill_rect(over, card, colors.raised, look.px(6));
    stroke_rect(over, card, colors.line, look.px(1), look.px(6));
    float y = card.y + 0.7f * pad + row / 2;
    draw_text(over, {card.x + pad, y}, head, {Face::kSemiBold, px, colors.ink});
    for (const std::string& line : lines) {
        y += row;
        draw_text(over, {card.x + pad, y}, line, {Face::kRegular, px, colors.ink2});
    }
}

}  // namespace tilereel

#include "app/panels/race/race_plot_parts.h"
#include "app/ui/tip.h"

namespace tilereel {

void draw_point_card(const RaceContext& race, const PlottedPoint& point, float px) {
    const Look& look = race.look;
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
    const HoverCard words{look, head, {Face::kSemiBold, px, race.colors().ink}, lines, px};
    const float away = look.px(18), edge = look.wide();
    Rect card{point.at.x + away, point.at.y + away, words.size().x, words.size().y};
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if (card.right() > screen.x - edge) card.x = point.at.x - away - card.w;
    if (card.bottom() > screen.y - edge) card.y = point.at.y - away - card.h;
    words.draw(card);
}

}  // namespace tilereel

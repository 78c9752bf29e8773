#include "app/replay/state/rounds.h"

#include "app/replay/elements.h"
#include "app/replay/state/regions.h"

namespace tilereel {

std::vector<Round> find_rounds(const Trace& trace, const Schedule& schedule) {
    if (!trace.product || trace.launch.block.count() != 1) return {};
    std::vector<Round> rounds;
    // Whether the previous step stored to C. True before the first step, which begins a round.
    bool stored = true;
    for (const Step& step : schedule.steps) {
        const Site& site = trace.sites[step.site];
        const bool stores = site.operation == Operation::kStore && site.array == trace.product->c;
        if (stored && !stores)
            rounds.push_back({.begin = step.begin, .end = step.begin, .stores = {}});
        if (rounds.empty()) rounds.push_back({});
        stored = stores;
        rounds.back().end = step.end();
        if (!stores) continue;
        const CellRect cells = touched(trace, step.site, step.record);
        if (cells.empty()) continue;
        include(rounds.back().stores, Element{cells.row0, cells.column0});
        include(rounds.back().stores, Element{cells.row1 - 1, cells.column1 - 1});
    }
    if (rounds.size() < 2) return {};
    return rounds;
}

std::vector<Tick> begins_of_rows(const std::vector<Round>& rounds) {
    std::vector<Tick> begins;
    for (std::size_t i = 0; i < rounds.size(); ++i)
        if (i == 0 || rounds[i].stores.row0 != rounds[i - 1].stores.row0)
            begins.push_back(rounds[i].begin);
    return begins;
}

}  // namespace tilereel

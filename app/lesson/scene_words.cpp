#include "app/lesson/scene_words.h"

#include <string_view>

#include "app/lesson/figures.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The line without its indentation and its comment.
std::string code_of(std::string_view line) {
    return std::string(without_blanks(line.substr(0, line.find("  //"))));
}

}  // namespace

std::string statement_at(const Trace& trace, const Site& site) {
    constexpr std::uint32_t kMostLines = 3;
    std::string all = code_of(source_line(trace, site.line, site.file));
    for (std::uint32_t n = 1; n < kMostLines; ++n) {
        if (all.empty() || std::string_view(";{}:").find(all.back()) != std::string_view::npos)
            break;
        const std::string next = code_of(source_line(trace, site.line + n, site.file));
        if (next.empty()) break;
        all += all.ends_with('(') ? next : " " + next;
    }
    return all;
}

std::optional<RequestFigure> figure_of_request(const Replay& replay, LessonFigure wanted) {
    const RequestState& request = replay.state().request;
    if (wanted == LessonFigure::kNone || request.step == kNoStep) return std::nullopt;
    const Trace& trace = replay.trace();
    const Site& site = trace.sites[replay.schedule().steps[request.step].site];
    if (site.array >= trace.arrays.size()) return std::nullopt;
    const bool shared = trace.arrays[site.array].space == Space::kShared;
    if (shared != (wanted == LessonFigure::kWavefronts)) return std::nullopt;
    const RequestCost& cost = request.cost;
    const GlobalRules& rules = replay.generation().global;
    RequestFigure figure;
    figure.value = shared ? cost.wavefronts : cost.transactions;
    const bool one = figure.value == 1;
    figure.unit =
        shared ? (one ? "wavefront" : "wavefronts") : std::string(one ? rules.unit : rules.units);
    if (shared) {
        figure.detail =
            writes(site.operation) ? "for one store of the warp" : "for one load of the warp";
        if (cost.bank_conflicts > 0)
            figure.detail += "; " + std::to_string(cost.ideal_wavefronts) +
                             (cost.ideal_wavefronts == 1 ? " is" : " are") + " enough";
        figure.bad = cost.bank_conflicts > 0;
    } else {
        figure.detail = with_commas(cost.bytes_moved) + " bytes move, " +
                        with_commas(cost.bytes_used) + " of them used";
        figure.bad = cost.bytes_used * 2 < cost.bytes_moved;
    }
    return figure;
}

std::string name_in_bars(const Contender& contender) {
    std::string name = lesson_title(contender);
    if (has_parameters(contender)) {
        const std::string tile = "TILE " + std::to_string(contender.tile);
        const std::size_t comma = name.find(',');
        name.insert(comma == std::string::npos ? name.size() : comma, ", " + tile);
    }
    return name;
}

}  // namespace tilereel

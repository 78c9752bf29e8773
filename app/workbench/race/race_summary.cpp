#include "app/workbench/race/race_summary.h"

#include <algorithm>
#include <set>
#include <vector>

#include "app/replay/sentence/wording.h"
#include "app/workbench/race/race_figures.h"
#include "app/workbench/race/race_sentence.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostNames = 3;

std::string named(const Contender& contender) {
    const std::string parameters =
        has_parameters(contender) ? " " + parameters_text(contender) : std::string();
    return title_of(contender) + parameters;
}

std::string contenders_text(const std::vector<Contender>& contenders) {
    if (contenders.size() <= kMostNames) {
        std::string names;
        for (const Contender& each : contenders) names += (names.empty() ? "" : ", ") + named(each);
        return names;
    }
    std::set<std::string> kernels;
    for (const Contender& each : contenders) kernels.insert(each.kernel);
    const std::string text = tilereel::counted(contenders.size(), "contender", "contenders");
    if (kernels.size() == contenders.size()) return text;
    return text + " of " + tilereel::counted(kernels.size(), "kernel", "kernels");
}

std::string sizes_text(const std::vector<ProductSize>& sizes) {
    std::set<int> edges;
    std::vector<ProductSize> others;
    for (const ProductSize& size : sizes)
        if (is_square(size))
            edges.insert(size.n);
        else
            others.push_back(size);
    std::string text;
    if (!edges.empty()) text = "N = " + with_commas(static_cast<std::uint64_t>(*edges.begin()));
    if (edges.size() > 1)
        text += (edges.size() == 2 ? " and " : " to ") +
                with_commas(static_cast<std::uint64_t>(*edges.rbegin()));
    if (others.empty()) return text;
    if (!text.empty())
        return text + "; " + tilereel::counted(others.size(), "other shape", "other shapes");
    return others.size() == 1 ? size_text(others.front())
                              : tilereel::counted(others.size(), "shape", "shapes");
}

}  // namespace

std::string race_summary(const Race& race) {
    return machine_text(race.machine) + ", " + race.date.substr(0, 10) + ". " +
           contenders_text(race.request.contenders) + "; " + sizes_text(race.request.sizes) +
           (race.request.caches == Caches::kCold ? "; cold caches" : "; warm caches") +
           (race.complete ? "." : "; cut off.");
}

}  // namespace tilereel

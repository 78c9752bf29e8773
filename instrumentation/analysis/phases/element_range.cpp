#include "instrumentation/analysis/phases/element_range.h"

#include <tuple>

namespace tilereel {

std::vector<ElementRange> rectangles_of(std::vector<ElementName> elements) {
    const auto place = [](const ElementName& at) {
        return std::tuple(at.array, at.row, at.column);
    };
    std::ranges::sort(elements, {}, place);
    const auto again = std::ranges::unique(elements);
    elements.erase(again.begin(), again.end());
    std::vector<ElementRange> runs;
    for (const ElementName& at : elements) {
        if (!runs.empty()) {
            ElementRange& run = runs.back();
            if (run.first.array == at.array && run.first.row == at.row &&
                run.first.column + run.extent.columns == at.column) {
                ++run.extent.columns;
                continue;
            }
        }
        runs.push_back({at, {}});
    }
    std::vector<ElementRange> made;
    for (const ElementRange& run : runs) {
        const auto above = std::ranges::find_if(made, [&run](const ElementRange& each) {
            return each.first.array == run.first.array &&
                   each.first.row + each.extent.rows == run.first.row &&
                   each.first.column == run.first.column &&
                   each.extent.columns == run.extent.columns;
        });
        if (above == made.end())
            made.push_back(run);
        else
            ++above->extent.rows;
    }
    return made;
}

}  // namespace tilereel

#include "instrumentation/analysis/hazards/product_reads.h"

#include <algorithm>
#include <span>

namespace tilereel {

ArrayId array_at(const Trace& trace, std::uint32_t offset_bytes) {
    for (std::size_t i = 0; i < trace.arrays.size(); ++i) {
        const Array& array = trace.arrays[i];
        if (array.space == Space::kShared && offset_bytes - array.base_bytes < array.size_bytes())
            return static_cast<ArrayId>(i);
    }
    return kNoArray;
}

std::vector<std::uint32_t> product_reads(const Trace& trace, std::uint64_t record,
                                         std::uint64_t value, std::uint32_t warp) {
    const auto product = WarpgroupProduct::of_code(trace.records.base[record]);
    if (!product || !has_values(trace, record) ||
        value + WarpgroupOperands::kWords > trace.words.size())
        return {};
    const auto operands =
        WarpgroupOperands::of(site_at(trace, record).variety,
                              std::span(trace.words).subspan(value, WarpgroupOperands::kWords));
    std::vector<std::uint32_t> pieces = pieces_read(*product, operands, static_cast<int>(warp % 4));
    std::erase_if(pieces, [&](std::uint32_t piece) { return array_at(trace, piece) == kNoArray; });
    return pieces;
}

}  // namespace tilereel

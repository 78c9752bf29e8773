#include "app/stage/plan/request_rows.h"

#include <algorithm>
#include <set>

#include "instrumentation/analysis/cost/request_cost.h"

namespace tilereel::stage {
namespace {

// Calls visit(index of the word in the array) for each word that the masked lanes request.
template <class Visit>
void for_each_word(const WarpAccess& access, std::uint32_t lanes, Visit&& visit) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        if ((access.lanes.mask & lanes & 1u << lane) == 0) continue;
        for (std::uint32_t at = 0; at < access.width_bytes; at += 4)
            visit((std::uint64_t{access.lanes.bytes[lane]} + at) / 4);
    }
}

RequestBox box_of(const WarpAccess& access, const GlobalTransaction& transaction) {
    RequestBox box{.begin = static_cast<std::uint32_t>(transaction.begin % kRowBytes),
                   .bytes = transaction.bytes};
    for_each_word(access, transaction.lanes, [&](std::uint64_t word) {
        if (word * 4 >= transaction.begin && word * 4 < transaction.begin + transaction.bytes)
            box.words |= 1u << (word % kRowWords);
    });
    return box;
}

std::string why_in_order(const std::vector<GlobalTransaction>& moved, const RequestCost& cost,
                         const GlobalRules& rules) {
    const auto least = static_cast<std::uint32_t>(rules.sector_bytes);
    const auto alone = static_cast<std::uint32_t>(
        std::ranges::count_if(moved, [&](const GlobalTransaction& t) { return t.bytes == least; }));
    if (alone == 0) return "coalesced: lane k is at word k";
    if (alone == cost.lanes) return "lane k is not at word k: one transaction a lane";
    return "one half-warp not in order: one transaction a lane";
}

std::string why_segments(const std::vector<GlobalTransaction>& moved, const RequestCost& cost,
                         const GlobalRules& rules) {
    if (cost.bytes_used == cost.bytes_moved) return "coalesced: every byte moved is used";
    const bool halved = std::ranges::any_of(moved, [&](const GlobalTransaction& t) {
        return t.bytes < static_cast<std::uint32_t>(rules.line_bytes);
    });
    return halved ? "segments of 128 bytes, reduced to the half or quarter that is used"
                  : "whole segments of 128 bytes are moved";
}

std::string why_sectors(std::uint32_t words, const RequestCost& cost, const GlobalRules& rules) {
    const auto unit = static_cast<std::uint32_t>(rules.sector_bytes);
    const std::uint32_t ideal = (words * 4 + unit - 1) / unit;
    const std::string units{rules.units};
    if (words == 1 && cost.lanes > 1) return "every lane wants the same word";
    if (words < cost.lanes && cost.transactions <= ideal) return "lanes share words: a broadcast";
    if (cost.bytes_used == cost.bytes_moved) return "coalesced: every byte moved is used";
    if (cost.transactions <= ideal) return "no more " + units + " than the words need";
    if (cost.transactions >= words)
        return "each word lies in a " + std::string(rules.unit) + " of its own";
    return std::to_string(ideal) + " full " + (ideal == 1 ? std::string(rules.unit) : units) +
           " would hold these words";
}

}  // namespace

std::vector<RequestRow> request_rows(const WarpAccess& access, const GlobalRules& rules) {
    std::vector<RequestRow> rows;
    for (const GlobalTransaction& transaction : list_transactions(access, rules)) {
        const std::uint64_t line = transaction.begin / kRowBytes;
        const bool joins = rules.coalescing == Coalescing::kSectors && !rows.empty() &&
                           rows.back().line == line &&
                           rows.back().first_lane == transaction.first_lane;
        if (!joins)
            rows.push_back({.line = line, .first_lane = transaction.first_lane, .boxes = {}});
        rows.back().boxes.push_back(box_of(access, transaction));
    }
    return rows;
}

std::uint32_t words_asked(const WarpAccess& access) {
    std::set<std::uint64_t> words;
    for_each_word(access, ~0u, [&](std::uint64_t word) { words.insert(word); });
    return static_cast<std::uint32_t>(words.size());
}

std::string why_transactions(const WarpAccess& access, const GlobalRules& rules) {
    Generation generation;
    generation.global = rules;
    const RequestCost cost = cost_of(access, generation);
    switch (rules.coalescing) {
        case Coalescing::kInOrder:
            return why_in_order(list_transactions(access, rules), cost, rules);
        case Coalescing::kSegments:
            return why_segments(list_transactions(access, rules), cost, rules);
        case Coalescing::kSectors:
            break;
    }
    return why_sectors(words_asked(access), cost, rules);
}

}  // namespace tilereel::stage

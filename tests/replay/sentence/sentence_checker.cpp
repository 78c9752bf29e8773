#include "tests/replay/sentence/sentence_checker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tilereel {
namespace {

struct Bounds {
    ParsedRange rows{1 << 30, -1}, columns{1 << 30, -1};
    [[nodiscard]] int area() const { return rows.count * columns.count; }
};
Bounds bounds_of(const std::set<Cell>& cells) {
    Bounds bounds;
    std::set<int> rows, columns;
    for (const Cell& cell : cells) {
        rows.insert(cell.row);
        columns.insert(cell.column);
        bounds.rows.first = std::min(bounds.rows.first, cell.row);
        bounds.rows.last = std::max(bounds.rows.last, cell.row);
        bounds.columns.first = std::min(bounds.columns.first, cell.column);
        bounds.columns.last = std::max(bounds.columns.last, cell.column);
    }
    bounds.rows.count = static_cast<int>(rows.size());
    bounds.columns.count = static_cast<int>(columns.size());
    return bounds;
}
std::set<Cell> cells_of(const ScriptOperation& operation) {
    std::set<Cell> cells;
    for (const auto& [lane, cell] : operation.lanes) cells.insert(cell);
    return cells;
}

class SentenceChecker {
  public:
    SentenceChecker(const Script& script, const ScheduledRequest& request,
                    const ParsedSentence& said)
        : script_(script),
          request_(request),
          operation_(*request.operation),
          said_(said),
          cost_(brute_cost(script, operation_)),
          shared_(operation_.does == Does::kSharedLoad || operation_.does == Does::kSharedStore) {}

    void check_all() {
        EXPECT_EQ(said_.warp, request_.warp);
        EXPECT_EQ(said_.array, operation_.array);
        EXPECT_EQ(said_.verb, verb());
        check_place();
        check_numbers();
        check_form();
        check_waiting();
    }

  private:
    [[nodiscard]] std::string verb() const {
        switch (operation_.does) {
            case Does::kGlobalLoad:
                return "loads";
            case Does::kSharedLoad:
                return "reads";
            case Does::kGlobalStore:
                return "stores its sums in";
            default:
                return "stores";
        }
    }

    void check_place() {
        const std::set<Cell> cells = cells_of(operation_);
        Bounds bounds = bounds_of(cells);
        const int tile = script_.size.tile;
        const auto cell_count = static_cast<int>(cells.size());
        if (said_.its_tile) {
            std::set<Cell> all;
            for (const auto& warp : script_.warps)
                for (const ScriptOperation& other : warp)
                    if (other.does == operation_.does && other.array == operation_.array &&
                        other.phase == operation_.phase)
                        all.merge(cells_of(other));
            EXPECT_EQ(cells, all);
            return;
        }
        if (said_.all) {
            EXPECT_EQ(cell_count, tile * tile);
            return;
        }
        if (!said_.rows &&
            !said_.columns) {  // "reads As: all 32 lanes read the same word As[0][5]"
            EXPECT_TRUE(said_.has("word"));
            return;
        }
        EXPECT_EQ(said_.elements.value_or(bounds.area()), cell_count);
        // Of scattered elements only the bounds are said.
        if (bounds.area() != cell_count)
            for (ParsedRange* range : {&bounds.rows, &bounds.columns})
                range->count = range->last - range->first + 1;
        const ParsedRange whole{0, tile - 1, tile};  // where the sentence names no rows or columns
        EXPECT_EQ(said_.rows.value_or(whole), bounds.rows);
        EXPECT_EQ(said_.columns.value_or(whole), bounds.columns);
        if (!shared_) {
            EXPECT_TRUE(said_.rows && said_.columns);
        }
    }

    void expect(const std::string& part, int value) {
        if (said_.has(part)) {
            EXPECT_EQ(said_.number(part), value) << part;
        }
    }

    void check_numbers() {
        expect("lanes", cost_.lanes);
        const int threads = script_.size.tile * script_.size.tile;
        EXPECT_EQ(said_.off,
                  std::min(threads - kWarpSize * request_.warp, kWarpSize) - cost_.lanes);
        expect("sectors", cost_.sectors);
        expect("elements", cost_.elements);
        expect("bytes", 4 * cost_.lanes);
        expect("rows", cost_.rows);
        expect("moved", 32 * cost_.sectors);
        expect("banks", cost_.banks);
        expect("words", cost_.words);
        expect("wavefronts", cost_.wavefronts);
        expect("in_bank",
               cost_.wavefronts);  // 4-byte accesses: as many as the fullest bank's words
        expect("bank", cost_.worst_bank);
        expect("ideal", 1);
        if (said_.has("word")) {
            const Cell cell = operation_.lanes.begin()->second;
            EXPECT_EQ(said_.parts.at("word"), operation_.array + "[" + std::to_string(cell.row) +
                                                  "][" + std::to_string(cell.column) + "]");
            EXPECT_EQ(cost_.words, 1);
        }
        if (!said_.has("share")) return;
        const std::string& share = said_.parts.at("share");
        const int unused = 32 * cost_.sectors - 4 * cost_.words;
        EXPECT_EQ(said_.parts.at("used") == "are used", unused == 0);
        if (unused == 0)
            EXPECT_EQ(share, "all");
        else if (parse_share(share) > 0)
            EXPECT_DOUBLE_EQ(parse_share(share) * 32 * cost_.sectors, unused);
        else
            EXPECT_EQ(parse_number(share), unused);
    }

    // The reason given is the true one.
    void check_form() {
        const std::string& form = said_.form;
        EXPECT_EQ(form.starts_with("conflict"), shared_ && cost_.wavefronts > 1) << form;
        if (form.starts_with("conflict, ") && form != "conflict, short") {
            EXPECT_EQ(form == "conflict, one bank", cost_.wavefronts == cost_.words);
        }
        if (form.starts_with("broadcast") || form == "same element") {
            EXPECT_EQ(cost_.words, 1);
        }
        if (form == "shared elements" || form == "shared words") {
            EXPECT_LT(cost_.words, cost_.lanes);
        }
        if (form == "coalescing" || form == "own words" || form == "store") {
            EXPECT_EQ(cost_.words, cost_.lanes);
        }
        if (shared_ && cost_.words == 1 && cost_.lanes > 1 &&
            operation_.does == Does::kSharedLoad) {
            EXPECT_TRUE(form.starts_with("broadcast")) << form;
        }
    }

    void check_waiting() {
        ASSERT_EQ(said_.waiting.has_value(), !request_.waiting.empty());
        if (!said_.waiting) return;
        if (said_.waiting_count)
            EXPECT_EQ(*said_.waiting_count, static_cast<int>(request_.waiting.size()));
        else
            EXPECT_EQ(*said_.waiting, request_.waiting);
        const bool one = request_.waiting.size() == 1;
        if (operation_.does == Does::kSharedLoad) {
            EXPECT_EQ(said_.waiting_did,
                      one ? "done its multiply-adds" : "done their multiply-adds");
            return;
        }
        if (!one) {
            EXPECT_EQ(said_.waiting_did, "stored their parts of both tiles");
            return;
        }
        const double share = 1.0 * kWarpSize / (script_.size.tile * script_.size.tile);
        // Of TILE x TILE cells a warp stores 32; English has no short word for a 32nd.
        EXPECT_EQ(said_.waiting_did, share == 0.5     ? "stored its half of both tiles"
                                     : share == 0.125 ? "stored its eighth of both tiles"
                                                      : "stored its part of both tiles");
    }

    const Script& script_;
    const ScheduledRequest& request_;
    const ScriptOperation& operation_;
    const ParsedSentence& said_;
    BruteCost cost_;
    bool shared_;
};

}  // namespace

void check_sentence(const Script& script, const ScheduledRequest& request,
                    const ParsedSentence& said) {
    SentenceChecker(script, request, said).check_all();
}

}  // namespace tilereel

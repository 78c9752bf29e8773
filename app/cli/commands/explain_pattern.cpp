#include "app/cli/commands/explain_pattern.h"

#include <nlohmann/json.hpp>

#include "app/cli/options/warp_access_csv.h"
#include "app/cli/text_table.h"
#include "app/cli/typed_numbers.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

Result<std::uint32_t> width_of(int bytes) {
    for (const int possible : {1, 2, 4, 8, 16})
        if (bytes == possible) return static_cast<std::uint32_t>(bytes);
    return wrong_call("the width is 1, 2, 4, 8 or 16 bytes, not " + std::to_string(bytes));
}

std::string numbered(std::uint64_t number, const char* one, const char* many) {
    return with_commas(number) + " " + (number == 1 ? one : many);
}

std::string sums_text(const AskedPattern& asked, const PatternAnswer& all) {
    const bool shared = asked.pattern.space == Space::kShared;
    std::string text = "Block of " + block_text(asked.pattern.block) + ": " +
                       numbered(all.block.requests, "request", "requests") + ", ";
    if (!shared) return text + numbered(all.block.sectors, "sector", "sectors") + ".\n";
    text += numbered(all.block.wavefronts, "wavefront", "wavefronts") + ", " +
            numbered(all.block.bank_conflicts, "conflict", "conflicts") + ".\n";
    if (all.block.bank_conflicts == 0) return text;
    const std::int64_t row = asked.pattern.layout.row;
    const std::string rows =
        " for rows of " + std::to_string(row) + (row == 1 ? " element" : " elements");
    return text + (all.least_pad ? "The least PAD without a conflict" + rows + ": " +
                                       std::to_string(*all.least_pad) + ".\n"
                                 : "No PAD" + rows + " takes all conflicts away.\n");
}

}  // namespace

bool PatternOptions::any() const {
    return !block.empty() || warp || row || pad || swizzle || swizzle_unit;
}

Result<AskedPattern> pattern_of(const PatternOptions& options, const std::string& space,
                                const std::string& operation, int width_bytes) {
    AskedPattern asked;
    AccessPattern& pattern = asked.pattern;
    IndexExpression index = TRY(IndexExpression::parse(options.expression));
    pattern.index = std::move(index);
    const WarpAccess kind = TRY(make_access(space, operation, "4", {}));
    pattern.space = kind.space;
    pattern.operation = kind.operation;
    const std::uint32_t width = TRY(width_of(width_bytes));
    pattern.width_bytes = width;
    if (!options.block.empty()) {
        const auto block = parse_block(options.block);
        if (!block)
            return wrong_call("--block takes threads as 16x16 or 16x8x2, not '" + options.block +
                              "'");
        pattern.block = *block;
    }
    pattern.layout.row = options.row.value_or(32);
    pattern.layout.pad = options.pad.value_or(0);
    pattern.layout.swizzle = options.swizzle.value_or(1);
    pattern.layout.swizzle_unit = options.swizzle_unit.value_or(1);
    TRY(check_pattern(pattern));
    asked.warp = static_cast<std::uint32_t>(options.warp.value_or(0));
    if (asked.warp >= warps_of(pattern))
        return wrong_call("a block of " + block_text(pattern.block) + " threads has " +
                          numbered(warps_of(pattern), "warp", "warps") + "; use --warp 0 to " +
                          std::to_string(warps_of(pattern) - 1));
    return asked;
}

Result<std::string> pattern_text(const AskedPattern& asked, const Generation& generation) {
    const PatternAnswer all = TRY(answer_pattern(asked.pattern, asked.warp, generation));
    const bool shared = asked.pattern.space == Space::kShared;
    Table table("rrrrrrrr");
    std::vector<std::string> head = {"lane", "tx", "ty", "tz", "byte"};
    if (shared) head.insert(head.end(), {"bank", "wavefront"});
    table.add(head);
    const auto& block = asked.pattern.block;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        if ((all.access.lanes.mask >> lane & 1u) == 0) continue;
        const std::int64_t thread = std::int64_t{asked.warp} * kWarpSize + lane;
        std::vector<std::string> row = {std::to_string(lane), std::to_string(thread % block[0]),
                                        std::to_string(thread / block[0] % block[1]),
                                        std::to_string(thread / (block[0] * block[1])),
                                        std::to_string(all.access.lanes.bytes[lane])};
        if (shared)
            row.insert(row.end(), {std::to_string(all.banks.bank[lane]),
                                   std::to_string(all.banks.wavefront[lane] + 1)});
        table.add(row);
    }
    return all.sentence + "\n" + sums_text(asked, all) + "\n" + table.text();
}

Result<std::string> pattern_json(const AskedPattern& asked, const std::string& expression,
                                 const Generation& generation) {
    const PatternAnswer all = TRY(answer_pattern(asked.pattern, asked.warp, generation));
    const AccessPattern& pattern = asked.pattern;
    const bool shared = pattern.space == Space::kShared;
    const auto if_shared = [&](std::uint64_t number) { return shared ? Json(number) : Json(); };
    const auto if_global = [&](std::uint64_t number) { return shared ? Json() : Json(number); };
    Json lanes = Json::array();
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        lanes.push_back((all.access.lanes.mask >> lane & 1u) != 0
                            ? Json(all.access.lanes.bytes[lane])
                            : Json());
    const Json object = {
        {"expression", expression},
        {"space", space_name(pattern.space)},
        {"op", pattern.operation == Operation::kLoad ? "load" : "store"},
        {"width_bytes", pattern.width_bytes},
        {"block", pattern.block},
        {"warp", asked.warp},
        {"row", pattern.layout.row},
        {"pad", pattern.layout.pad},
        {"swizzle", pattern.layout.swizzle},
        {"swizzle_unit", pattern.layout.swizzle_unit},
        {"generation", generation.id},
        {"sentence", all.sentence},
        {"wavefronts", if_shared(all.cost.wavefronts)},
        {"bank_conflicts", if_shared(all.cost.bank_conflicts)},
        {"sectors", if_global(all.cost.sectors)},
        {"bytes_moved", if_global(all.cost.bytes_moved)},
        {"lane_bytes", lanes},
        {"block_requests", all.block.requests},
        {"block_wavefronts", if_shared(all.block.wavefronts)},
        {"block_bank_conflicts", if_shared(all.block.bank_conflicts)},
        {"block_sectors", if_global(all.block.sectors)},
        {"least_pad", all.least_pad ? Json(*all.least_pad) : Json()},
    };
    return json_text(object, 1) + "\n";
}

}  // namespace tilereel

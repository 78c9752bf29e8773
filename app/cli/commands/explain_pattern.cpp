#include "app/cli/commands/explain_pattern.h"

#include <nlohmann/json.hpp>

#include "app/cli/options/warp_access_csv.h"
#include "app/cli/text_table.h"
#include "app/cli/typed_numbers.h"
#include "instrumentation/analysis/cost/matrix_loads.h"
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

bool of_tile(const AskedPattern& asked) {
    return asked.pattern.of_matrices() && asked.pattern.index.layout() != nullptr;
}
std::string who_takes(const AskedPattern& asked) {
    return (of_tile(asked) ? "load " : "warp ") + std::to_string(asked.warp);
}

std::string least_swizzle_text(const std::optional<CuteSwizzle>& swizzle) {
    if (!swizzle) return "No swizzle takes all conflicts away.\n";
    if (swizzle->bits == 0) return {};
    return "The least swizzle without a conflict, in elements: " + swizzle_text(*swizzle) + ".\n";
}

// The access and the number of matrices of the options.
Status take_operation(const PatternOptions& options, const std::string& space,
                      const std::string& operation, AccessPattern& pattern) {
    if (operation != "ldmatrix" && operation != "stmatrix") {
        if (options.matrices) return wrong_call("--matrices is for --op ldmatrix and stmatrix");
        const WarpAccess kind = TRY(make_access(space, operation, "4", {}));
        pattern.space = kind.space;
        pattern.operation = kind.operation;
        return Done{};
    }
    if (space != "shared")
        return wrong_call(operation + " accesses shared memory; leave out --space");
    pattern.space = Space::kShared;
    pattern.operation = operation == "ldmatrix" ? Operation::kMatrixLoad : Operation::kMatrixStore;
    pattern.matrices = static_cast<std::uint32_t>(options.matrices.value_or(4));
    if (pattern.matrices != 1 && pattern.matrices != 2 && pattern.matrices != 4)
        return wrong_call("the number of matrices is 1, 2 or 4, not " +
                          std::to_string(pattern.matrices));
    return Done{};
}

std::string sums_text(const AskedPattern& asked, const PatternAnswer& all) {
    const bool shared = asked.pattern.space == Space::kShared;
    std::string text = (of_tile(asked) ? "Tile" : "Block of " + block_text(asked.pattern.block)) +
                       ": " + numbered(all.block.requests, "request", "requests") + ", ";
    if (!shared) return text + numbered(all.block.sectors, "sector", "sectors") + ".\n";
    text += numbered(all.block.wavefronts, "wavefront", "wavefronts") + ", " +
            numbered(all.block.bank_conflicts, "conflict", "conflicts") + ".\n";
    if (all.plain)
        text += "Without PAD and swizzle " + who_takes(asked) + " takes " +
                numbered(all.plain->wavefronts, "wavefront", "wavefronts") + ".\n";
    if (all.block.bank_conflicts > 0) {
        const std::int64_t row = tilereel::rows_of(asked.pattern).row;
        const std::string rows =
            " for rows of " + std::to_string(row) + (row == 1 ? " element" : " elements");
        text += all.least_pad ? "The least PAD without a conflict" + rows + ": " +
                                    std::to_string(*all.least_pad) + ".\n"
                              : "No PAD" + rows + " takes all conflicts away.\n";
    }
    return all.block.bank_conflicts > 0 || all.plain ? text + least_swizzle_text(all.least_swizzle)
                                                     : text;
}

}  // namespace

bool PatternOptions::any() const {
    return !block.empty() || warp || row || pad || swizzle || swizzle_unit;
}

Result<AskedPattern> pattern_of(const PatternOptions& options, const std::string& space,
                                const std::string& operation, int width_bytes) {
    AskedPattern asked;
    AccessPattern& pattern = asked.pattern;
    PatternIndex index = TRY(PatternIndex::parse(options.expression));
    pattern.index = std::move(index);
    TRY(take_operation(options, space, operation, pattern));
    if (options.row && pattern.index.layout() != nullptr && row_length(*pattern.index.layout()))
        return wrong_call("the rows are those of the layout; leave out --row");
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
    const std::uint32_t requests = TRY(requests_of(pattern));
    if (asked.warp >= requests)
        return wrong_call((of_tile(asked)
                               ? std::string("the tile")
                               : "a block of " + block_text(pattern.block) + " threads") +
                          " has " +
                          (of_tile(asked) ? numbered(requests, "load", "loads")
                                          : numbered(requests, "warp", "warps")) +
                          "; use --warp 0 to " + std::to_string(requests - 1));
    return asked;
}

Result<std::string> pattern_text(const AskedPattern& asked, const Generation& generation) {
    const PatternAnswer all = TRY(answer_pattern(asked.pattern, asked.warp, generation));
    const bool shared = asked.pattern.space == Space::kShared;
    const bool matrices = asked.pattern.of_matrices();
    Table table("rrrrrrrr");
    std::vector<std::string> head = {"lane", "tx", "ty", "tz", "byte"};
    if (matrices) head = {"lane", "matrix", "row", "byte", "slot", "wavefront"};
    if (shared && !matrices) head.insert(head.end(), {"bank", "wavefront"});
    table.add(head);
    const auto& block = asked.pattern.block;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        if ((all.access.lanes.mask >> lane & 1u) == 0) continue;
        const std::string byte = std::to_string(all.access.lanes.bytes[lane]);
        const std::string wavefront = std::to_string(all.banks.wavefront[lane] + 1);
        if (matrices) {
            table.add({std::to_string(lane), std::to_string(lane / kRowsOfMatrix),
                       std::to_string(lane % kRowsOfMatrix), byte,
                       std::to_string(slot_of(all.access, lane)), wavefront});
            continue;
        }
        const std::int64_t thread = std::int64_t{asked.warp} * kWarpSize + lane;
        std::vector<std::string> row = {std::to_string(lane), std::to_string(thread % block[0]),
                                        std::to_string(thread / block[0] % block[1]),
                                        std::to_string(thread / (block[0] * block[1])), byte};
        if (shared) row.insert(row.end(), {std::to_string(all.banks.bank[lane]), wavefront});
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
    const auto swizzle_json = [](const CuteSwizzle& swizzle) {
        return Json{{"B", swizzle.bits}, {"M", swizzle.base}, {"S", swizzle.shift}};
    };
    Json object = {
        {"expression", expression},
        {"space", space_name(pattern.space)},
        {"op", pattern_operation_name(pattern.operation)},
        {"width_bytes", pattern.width_bytes},
        {"block", pattern.block},
        {"warp", asked.warp},
        {"row", tilereel::rows_of(pattern).row},
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
        {"least_swizzle", all.least_swizzle ? swizzle_json(*all.least_swizzle) : Json()},
        {"plain_wavefronts", all.plain ? Json(all.plain->wavefronts) : Json()},
    };
    if (pattern.of_matrices()) object["matrices"] = pattern.matrices;
    return json_text(object, 1) + "\n";
}

}  // namespace tilereel

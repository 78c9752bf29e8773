#include "instrumentation/analysis/cost/access_pattern.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "instrumentation/analysis/cost/matrix_loads.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

constexpr std::int64_t kBankBytes = 4;
constexpr std::int64_t kMostBlockThreads = 1024;            // and of each extent
constexpr std::int64_t kMostRow = std::int64_t{1} << 24;    // elements
constexpr std::int64_t kMostBytes = std::int64_t{1} << 32;  // of the array

std::string number(std::int64_t value) { return std::to_string(value); }

bool is_power_of_two(std::int64_t value) {
    return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value));
}

Status check_layout(const RowLayout& layout) {
    if (layout.row < 1 || layout.row > kMostRow)
        return wrong_call("a row has " + number(layout.row) + " elements; use 1 to 16,777,216");
    if (layout.pad < 0 || layout.pad > kMostRow)
        return wrong_call("PAD is " + number(layout.pad) + "; use 0 to 16,777,216");
    if (layout.swizzle == 1) return Done{};
    const bool sound = is_power_of_two(layout.row) && is_power_of_two(layout.swizzle) &&
                       is_power_of_two(layout.swizzle_unit) && layout.swizzle <= layout.row &&
                       layout.swizzle_unit <= layout.row / layout.swizzle;
    if (sound) return Done{};
    return wrong_call("a swizzle of " + number(layout.swizzle) + " rows in units of " +
                      number(layout.swizzle_unit) + " does not fit a row of " + number(layout.row) +
                      "; all three must be powers of 2, and rows times unit at most the row");
}

// The offset of an element in the padded and swizzled array, in elements.
std::int64_t place_in_rows(std::int64_t index, const RowLayout& layout) {
    const std::int64_t row = index / layout.row, column = index % layout.row;
    const std::int64_t moved = column ^ (row % layout.swizzle * layout.swizzle_unit);
    return row * (layout.row + layout.pad) + moved;
}

ThreadPlace place_of_thread(const AccessPattern& pattern, std::int64_t thread) {
    const auto& block = pattern.block;
    return {
        .thread = {thread % block[0], thread / block[0] % block[1], thread / (block[0] * block[1])},
        .block = block,
        .lane = thread % kWarpSize,
        .warp = thread / kWarpSize};
}

std::int64_t threads_of(const AccessPattern& pattern) {
    return pattern.block[0] * pattern.block[1] * pattern.block[2];
}

// nullopt: the lane accesses nothing.
Result<std::optional<std::int64_t>> index_of_lane(const AccessPattern& pattern, std::uint32_t warp,
                                                  std::uint32_t lane) {
    const std::int64_t thread = std::int64_t{warp} * kWarpSize + lane;
    if (thread >= threads_of(pattern)) return std::optional<std::int64_t>();
    if (const CuteLayout* const layout = pattern.index.layout())
        return thread < layout->size() ? std::optional(layout->offset(thread)) : std::nullopt;
    const std::int64_t index =
        TRY(pattern.index.expression()->value(place_of_thread(pattern, thread)));
    return index < 0 ? std::nullopt : std::optional(index);
}

std::string name_of_lane(const AccessPattern& pattern, std::uint32_t request, std::uint32_t lane) {
    return "lane " + std::to_string(lane) +
           (pattern.of_matrices() && pattern.index.layout() != nullptr ? " of load "
                                                                       : " of warp ") +
           std::to_string(request);
}

// Adds the access of a lane to its request.
Status add_lane(const AccessPattern& pattern, std::uint32_t request, std::uint32_t lane,
                std::int64_t index, WarpAccess& access) {
    const std::int64_t place = index < kMostBytes ? place_of(pattern, index) : kMostBytes;
    if (place >= kMostBytes / pattern.width_bytes)
        return wrong_call(name_of_lane(pattern, request, lane) + " has index " + number(index) +
                          ", which is beyond 4 GiB");
    access.lanes.mask |= 1u << lane;
    access.lanes.bytes[lane] = static_cast<std::uint32_t>(place) * pattern.width_bytes;
    if (!pattern.of_matrices()) return Done{};
    const std::uint32_t byte = access.lanes.bytes[lane];
    const std::string row = "row " + std::to_string(lane % kRowsOfMatrix) + " of matrix " +
                            std::to_string(lane / kRowsOfMatrix) + " (" +
                            name_of_lane(pattern, request, lane) + ")";
    if (byte % kBytesOfMatrixRow != 0)
        return wrong_call(row + " begins at byte " + number(byte) +
                          ", no multiple of 16; a matrix load needs that");
    for (std::int64_t i = 1; i < elements_of_row(pattern.width_bytes); ++i)
        if (place_of(pattern, index + i) != place + i)
            return wrong_call(row +
                              " is not 16 bytes that lie together; its elements need stride 1, "
                              "and a swizzle that keeps " +
                              number(elements_of_row(pattern.width_bytes)) +
                              " of them together (M of " +
                              number(std::countr_zero(static_cast<std::uint64_t>(
                                  elements_of_row(pattern.width_bytes)))) +
                              ", or that unit)");
    return Done{};
}

}  // namespace

Status check_pattern(const AccessPattern& pattern) {
    std::int64_t threads = 1;
    for (const std::int64_t extent : pattern.block) {
        if (extent < 1 || extent > kMostBlockThreads)
            return wrong_call("a block is " + number(extent) + " threads wide; use 1 to 1,024");
        threads *= extent;
    }
    if (threads > kMostBlockThreads)
        return wrong_call("a block of " + with_commas(static_cast<std::uint64_t>(threads)) +
                          " threads; a GPU takes at most 1,024");
    if (pattern.of_matrices() && pattern.space != Space::kShared)
        return wrong_call(
            "ldmatrix and stmatrix access shared memory; choose shared, or a load or store");
    return check_layout(rows_of(pattern));
}

std::uint32_t warps_of(const AccessPattern& pattern) {
    return static_cast<std::uint32_t>((threads_of(pattern) + kWarpSize - 1) / kWarpSize);
}

Result<std::uint32_t> requests_of(const AccessPattern& pattern) {
    if (!pattern.of_matrices() || pattern.index.layout() == nullptr) return warps_of(pattern);
    const TileLoads loads =
        TRY(loads_of_tile(*pattern.index.layout(), pattern.width_bytes, pattern.matrices));
    return loads.count();
}

RowLayout rows_of(const AccessPattern& pattern) {
    RowLayout rows = pattern.layout;
    if (const CuteLayout* const layout = pattern.index.layout())
        if (const auto length = row_length(*layout)) rows.row = *length;
    return rows;
}

std::int64_t place_of(const AccessPattern& pattern, std::int64_t index) {
    return pattern.index.swizzled(place_in_rows(index, rows_of(pattern)));
}

std::int64_t pad_step(Operation operation, std::uint32_t width_bytes) {
    return is_matrix_access(operation) ? elements_of_row(width_bytes) : 1;
}

Result<WarpAccess> access_of(const AccessPattern& pattern, std::uint32_t request) {
    WarpAccess access{
        .space = pattern.space, .operation = pattern.operation, .width_bytes = pattern.width_bytes};
    if (!pattern.of_matrices()) {
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
            if (const auto index = TRY(index_of_lane(pattern, request, lane)))
                TRY(add_lane(pattern, request, lane, *index, access));
        return access;
    }
    access.width_bytes = kBytesOfMatrixRow;
    const bool of_tile = pattern.index.layout() != nullptr;
    const TileLoads loads =
        of_tile ? TRY(loads_of_tile(*pattern.index.layout(), pattern.width_bytes, pattern.matrices))
                : TileLoads{};
    for (std::uint32_t lane = 0; lane < kRowsOfMatrix * pattern.matrices; ++lane) {
        const auto index = of_tile
                               ? std::optional(loads.row_of(*pattern.index.layout(), request, lane))
                               : TRY(index_of_lane(pattern, request, lane));
        if (!index)
            return wrong_call(name_of_lane(pattern, request, lane) +
                              " names no row; each of the first " +
                              number(kRowsOfMatrix * std::int64_t{pattern.matrices}) +
                              " lanes gives the index of one");
        TRY(add_lane(pattern, request, lane, *index, access));
    }
    return access;
}

Result<PatternCost> block_cost(const AccessPattern& pattern, const Generation& generation) {
    PatternCost sum;
    const std::uint32_t requests = TRY(requests_of(pattern));
    for (std::uint32_t request = 0; request < requests; ++request) {
        const WarpAccess access = TRY(access_of(pattern, request));
        if (access.lanes.mask == 0) continue;
        const RequestCost cost = cost_of(access, generation);
        ++sum.requests;
        sum.wavefronts += cost.wavefronts;
        sum.bank_conflicts += cost.bank_conflicts;
        sum.sectors += cost.sectors;
        sum.lines += cost.lines;
    }
    return sum;
}

Result<std::optional<std::int64_t>> least_pad(AccessPattern pattern, const Generation& generation) {
    const std::int64_t banks = generation.shared.banks;
    const std::int64_t most =
        pattern.of_matrices() ? banks * kBankBytes / pattern.width_bytes : banks;
    const std::int64_t step = pad_step(pattern.operation, pattern.width_bytes);
    for (pattern.layout.pad = 0; pattern.layout.pad < most; pattern.layout.pad += step) {
        const PatternCost cost = TRY(block_cost(pattern, generation));
        if (cost.bank_conflicts == 0) return std::optional(pattern.layout.pad);
    }
    return std::optional<std::int64_t>();
}

AccessPattern plain_pattern(AccessPattern pattern) {
    pattern.index = pattern.index.without_swizzle();
    pattern.layout.pad = 0;
    pattern.layout.swizzle = 1;
    return pattern;
}

Result<std::optional<CuteSwizzle>> least_swizzle(const AccessPattern& pattern,
                                                 const Generation& generation) {
    const AccessPattern plain = plain_pattern(pattern);
    std::vector<WarpAccess> accesses;
    std::uint32_t furthest = 0;  // element
    const std::uint32_t requests = TRY(requests_of(plain));
    for (std::uint32_t request = 0; request < requests; ++request) {
        accesses.push_back(TRY(access_of(plain, request)));
        for (const std::uint32_t byte : accesses.back().lanes.bytes)
            furthest = std::max(furthest, byte / plain.width_bytes);
    }
    const auto is_free = [&](const CuteSwizzle& swizzle) {
        return std::ranges::all_of(accesses, [&](WarpAccess access) {
            for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
                if ((access.lanes.mask >> lane & 1u) != 0)
                    access.lanes.bytes[lane] = static_cast<std::uint32_t>(swizzle(
                                                   access.lanes.bytes[lane] / plain.width_bytes)) *
                                               plain.width_bytes;
            return access.lanes.mask == 0 || cost_of(access, generation).bank_conflicts == 0;
        });
    };
    if (is_free({})) return std::optional<CuteSwizzle>(CuteSwizzle{});
    const int bits_of_place = std::bit_width(furthest);
    const int banks = std::bit_width(static_cast<unsigned>(generation.shared.banks)) - 1;
    const auto row = static_cast<std::uint64_t>(pad_step(plain.operation, plain.width_bytes));
    const int first = std::countr_zero(row);
    for (int bits = 1; bits <= banks; ++bits)
        for (int base = first; base + bits < bits_of_place; ++base)
            // With a larger shift the bits that are read are all 0.
            for (int shift = bits; base + shift < bits_of_place; ++shift)
                if (const CuteSwizzle swizzle{bits, base, shift}; is_free(swizzle))
                    return std::optional(swizzle);
    return std::optional<CuteSwizzle>();
}

namespace {

std::string count(std::uint64_t number, const char* one, const char* many) {
    return with_commas(number) + " " + (number == 1 ? one : many);
}

std::string shared_sentence(const std::string& who, const char* verb, const WarpAccess& access,
                            const RequestCost& cost, const Generation& generation) {
    const BankService service = bank_service(access, generation);
    std::uint32_t used = 0, worst = 0, crowded = 0, words = 0;
    for (std::size_t bank = 0; bank < service.words_in_bank.size(); ++bank) {
        words += service.words_in_bank[bank];
        used += service.words_in_bank[bank] > 0 ? 1 : 0;
        worst = std::max<std::uint32_t>(worst, service.worst_group_wavefronts[bank]);
    }
    for (const std::uint8_t wavefronts : service.worst_group_wavefronts)
        crowded += worst > 1 && wavefronts == worst ? 1 : 0;
    std::string text = who + " " + verb + " " + count(words, "word", "words") + " in " +
                       count(used, "bank", "banks");
    const std::string costs = "it takes " + count(cost.wavefronts, "wavefront", "wavefronts");
    if (cost.bank_conflicts == 0) {
        text += cost.wavefronts > 1 ? "; " + costs + " for its width, and no conflict"
                                    : "; no bank serves two words, so " + costs;
        return text + ".";
    }
    return text + "; " + count(crowded, "bank serves", "banks serve") + " " +
           std::to_string(worst) + " words one after the other, so " + costs + " where " +
           std::to_string(cost.ideal_wavefronts) +
           " would do: " + count(cost.bank_conflicts, "conflict", "conflicts") + ".";
}

std::string global_sentence(const std::string& who, const char* verb, const RequestCost& cost,
                            const Generation& generation) {
    const std::uint32_t percent =
        cost.bytes_moved == 0 ? 0
                              : (100 * cost.bytes_used + cost.bytes_moved / 2) / cost.bytes_moved;
    return who + " " + verb + " " + count(cost.bytes_requested, "byte", "bytes") + " and moves " +
           count(cost.bytes_moved, "byte", "bytes") + ", " +
           count(cost.transactions, std::string(generation.global.unit).c_str(),
                 std::string(generation.global.units).c_str()) +
           ": " + std::to_string(percent) + " % of them are used.";
}

}  // namespace

std::string pattern_sentence(const AccessPattern& pattern, std::uint32_t request,
                             const WarpAccess& access, const Generation& generation) {
    if (pattern.of_matrices())
        return matrix_sentence((pattern.index.layout() == nullptr             ? "Warp "
                                : pattern.operation == Operation::kMatrixLoad ? "Load "
                                                                              : "Store ") +
                                   std::to_string(request),
                               access, generation);
    const std::string who = "Warp " + std::to_string(request);
    if (access.lanes.mask == 0) return who + " takes no part: every index is negative.";
    const RequestCost cost = cost_of(access, generation);
    const char* const verb = pattern.operation == Operation::kLoad ? "reads" : "writes";
    return pattern.space == Space::kShared ? shared_sentence(who, verb, access, cost, generation)
                                           : global_sentence(who, verb, cost, generation);
}

const std::vector<PatternPreset>& pattern_presets() {
    using enum Space;
    static const std::vector<PatternPreset> presets = {
        {"Row by row", "ty*32 + tx", {32, 8, 1}, kShared, 32, 4},
        {"Column by column", "tx*32 + ty", {32, 8, 1}, kShared, 32, 4},
        {"One word for all", "ty*32", {32, 8, 1}, kShared, 32, 4},
        {"Every second word", "2*lane", {32, 8, 1}, kShared, 32, 4},
        {"Two rows of 16 threads", "ty*16 + tx", {16, 16, 1}, kShared, 16, 4},
        {"Two rows, padded by hand", "ty*33 + tx", {16, 16, 1}, kShared, 33, 4},
        {"Four floats each", "lane", {32, 8, 1}, kShared, 8, 16},
        {"Halves of a row", "lane", {32, 8, 1}, kShared, 64, 2},
        {"Coalesced", "ty*1024 + tx", {32, 8, 1}, kGlobal, 1024, 4},
        {"One element a row", "tx*1024 + ty", {32, 8, 1}, kGlobal, 1024, 4},
        {"Stride of 2", "2*tx", {32, 8, 1}, kGlobal, 1024, 4},
        {"One element off", "tx + 1", {32, 8, 1}, kGlobal, 1024, 4},
        {"A tile of 64 columns", "(64,64):(64,1)", {32, 4, 1}, kShared, 64, 2, true},
        {"The same, rows padded", "(64,64):(72,1)", {32, 4, 1}, kShared, 72, 2, true},
        {"The same, swizzled", "Swizzle<3,3,3> o (64,64):(64,1)", {32, 4, 1}, kShared, 64, 2, true},
        {"A tile of 32 columns", "(64,32):(32,1)", {32, 4, 1}, kShared, 32, 2, true},
        {"The same, swizzled", "Swizzle<2,3,3> o (64,32):(32,1)", {32, 4, 1}, kShared, 32, 2, true},
        {"8 rows, 4 matrices", "(8,32):(32,1)", {32, 4, 1}, kShared, 32, 2, true},
        {"Rows by lane, as 22", "lane%16*64 + lane/16*8", {32, 4, 1}, kShared, 64, 2, true},
    };
    return presets;
}

}  // namespace tilereel

#include "instrumentation/analysis/cost/access_pattern.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

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
std::int64_t place_of(std::int64_t index, const RowLayout& layout) {
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
    return check_layout(pattern.layout);
}

std::uint32_t warps_of(const AccessPattern& pattern) {
    return static_cast<std::uint32_t>((threads_of(pattern) + kWarpSize - 1) / kWarpSize);
}

Result<WarpAccess> access_of(const AccessPattern& pattern, std::uint32_t warp) {
    WarpAccess access{
        .space = pattern.space, .operation = pattern.operation, .width_bytes = pattern.width_bytes};
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const std::int64_t thread = std::int64_t{warp} * kWarpSize + lane;
        if (thread >= threads_of(pattern)) break;
        const std::int64_t index = TRY(pattern.index.value(place_of_thread(pattern, thread)));
        if (index < 0) continue;
        const bool fits = index < kMostBytes;
        const std::int64_t place = fits ? place_of(index, pattern.layout) : kMostBytes;
        if (place >= kMostBytes / pattern.width_bytes)
            return wrong_call("lane " + std::to_string(lane) + " of warp " + std::to_string(warp) +
                              " has index " + number(index) + ", which is beyond 4 GiB");
        access.lanes.mask |= 1u << lane;
        access.lanes.bytes[lane] = static_cast<std::uint32_t>(place) * pattern.width_bytes;
    }
    return access;
}

Result<PatternCost> block_cost(const AccessPattern& pattern, const Generation& generation) {
    PatternCost sum;
    for (std::uint32_t warp = 0; warp < warps_of(pattern); ++warp) {
        const WarpAccess access = TRY(access_of(pattern, warp));
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
    const std::int64_t words_of_banks = generation.shared.banks;
    for (pattern.layout.pad = 0; pattern.layout.pad < words_of_banks; ++pattern.layout.pad) {
        const PatternCost cost = TRY(block_cost(pattern, generation));
        if (cost.bank_conflicts == 0) return std::optional(pattern.layout.pad);
    }
    return std::optional<std::int64_t>();
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

std::string pattern_sentence(const AccessPattern& pattern, std::uint32_t warp,
                             const WarpAccess& access, const Generation& generation) {
    const std::string who = "Warp " + std::to_string(warp);
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
    };
    return presets;
}

}  // namespace tilereel

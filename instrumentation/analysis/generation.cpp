#include "instrumentation/analysis/generation.h"

#include <algorithm>
#include <array>

namespace tilereel {
namespace {

constexpr LanesTogether kHalfWarps{.of_4_bytes = 16, .of_8_bytes = 16, .of_16_bytes = 16};
constexpr LanesTogether kByWidth{.of_4_bytes = 32, .of_8_bytes = 16, .of_16_bytes = 8};

// CUDA C Programming Guide 4.2, appendix F, "Compute Capability 1.x", "Shared Memory" (F.3.3): 16
// banks, each half-warp a request of its own; "32-Bit Broadcast Access" (F.3.3.2): in one step one
// word goes to all that want it, every other bank serves one address, and which word and which
// address is not specified; "Larger Than 32-Bit Access" (F.3.3.4): split into 32-bit requests, two
// with a stride of two for a double.
constexpr SharedRules kShared1{.banks = 16,
                               .lanes = kHalfWarps,
                               .alike_wide_loads_merge = false,
                               .word_by_word = true,
                               .broadcasts_one_word = true};
// The same guide, "Devices of Compute Capability 1.0 and 1.1" (F.3.2.1): thread k of a half-warp
// accesses word k of a 64- or 128-byte segment (of two 128-byte ones for 16-byte words), or 16
// separate transactions of 32 bytes are issued. Best Practices Guide 4.2, "A Sequential but
// Misaligned Access Pattern": one for each element requested, so none for a lane that is off.
constexpr GlobalRules kGlobal10{.coalescing = Coalescing::kInOrder,
                                .lanes = kHalfWarps,
                                .unit = "transaction",
                                .units = "transactions"};
// The same guide, "Devices of Compute Capability 1.2 and 1.3" (F.3.2.2): one transaction for each
// segment that a half-warp addresses, reduced from 128 to 64 and from 64 to 32 bytes where only one
// half is used.
constexpr GlobalRules kGlobal12{.coalescing = Coalescing::kSegments,
                                .lanes = kHalfWarps,
                                .unit = "transaction",
                                .units = "transactions"};
// The same guide, "Compute Capability 2.x", "Shared Memory" (F.4.3): 32 banks, several words
// broadcast at once; "Larger Than 32-Bit Access" (F.4.3.2): 64-bit accesses by half-warp, 128-bit
// accesses by quarter-warp. It adds that most 128-bit accesses cost a quarter-warp one step more,
// without saying which: here none does.
//
// 3.x is counted like 2.x. Its own rule is kinder: "32-Bit Mode" (F.5.3.2) also serves words i and
// i + 32 of one aligned segment of 64 words together, so that it has as many conflicts or fewer.
constexpr SharedRules kShared2{.lanes = kByWidth, .alike_wide_loads_merge = false};
// The same guide, "Compute Capability 2.x", "Global Memory" (F.4.2): accesses cached in L1, which
// is the default, move whole 128-byte lines, those cached in L2 only move 32 bytes; a warp's
// request for 8-byte words is split in two, for 16-byte words in four. 3.0 does the same (F.5.2).
// The Kepler Tuning Guide, "L1 Cache", says that L1 is kept for local memory there, which would
// make it 32 bytes: here 3.x follows the Programming Guide.
constexpr GlobalRules kGlobal2{
    .lanes = kByWidth, .sector_bytes = 128, .unit = "line", .units = "lines"};

constexpr Generation compute_1(std::string_view id, std::string_view title,
                               const GlobalRules& global) {
    return {
        .id = id, .title = title, .shared = kShared1, .global = global, .independent_lanes = false};
}

constexpr Generation cached_lines(std::string_view id, std::string_view title) {
    return {.id = id,
            .title = title,
            .shared = kShared2,
            .global = kGlobal2,
            .independent_lanes = false};
}

// 5.0 to 9.0 share one rule: 32 banks of 4 bytes, 32-byte sectors, 128-byte lines. CUDA C++
// Programming Guide 12, "Compute Capability 5.x", "Shared Memory": no conflict between threads that
// access one 32-bit word. CUDA C++ Best Practices Guide 12, "Coalesced Access to Global Memory": as
// many 32-byte transactions as serve all threads of the warp, from 6.0 on and on 5.x without L1
// caching. Wide accesses as measured on 9.0 (tests/hardware).
//
// Lanes advance on their own from 7.0: Programming Guide 12, "Compute Capability 7.x", "Independent
// Thread Scheduling"; Volta Tuning Guide, the section of that name.
//
// The cost of asynchronous copies is as measured on 9.0.
constexpr Generation sectors(std::string_view id, std::string_view title, bool independent) {
    return {.id = id,
            .title = title,
            .independent_lanes = independent,
            .asynchronous_copies = has_asynchronous_copies(id)};
}

constexpr std::array kGenerations = {
    sectors("9.0", "H100 (9.0)", true),
    sectors("8.9", "RTX 4090 (8.9)", true),
    sectors("8.6", "RTX 3090 (8.6)", true),
    sectors("8.0", "A100 (8.0)", true),
    sectors("7.5", "RTX 2080 (7.5)", true),
    sectors("7.0", "V100 (7.0)", true),
    sectors("6.1", "GTX 1080 (6.1)", false),
    sectors("6.0", "P100 (6.0)", false),
    sectors("5.2", "GTX 980 (5.2)", false),
    sectors("5.0", "GTX 750 Ti (5.0)", false),
    cached_lines("3.7", "K80 (3.7)"),
    cached_lines("3.5", "K40 (3.5)"),
    cached_lines("3.0", "GTX 680 (3.0)"),
    cached_lines("2.1", "GTX 560 (2.1)"),
    cached_lines("2.0", "GTX 480 (2.0)"),
    compute_1("1.3", "GTX 280 (1.3)", kGlobal12),
    compute_1("1.2", "GT 240 (1.2)", kGlobal12),
    compute_1("1.1", "9800 GTX (1.1)", kGlobal10),
    compute_1("1.0", "8800 GTX (1.0)", kGlobal10),
};

}  // namespace

std::span<const Generation> generations() { return kGenerations; }

const Generation& default_generation() { return kGenerations.front(); }

const Generation* find_generation(std::string_view id) {
    const bool newest_of_major = id.size() > 2 && id.ends_with(".x");
    const auto found = std::ranges::find_if(kGenerations, [&](const Generation& generation) {
        return newest_of_major ? generation.id.starts_with(id.substr(0, id.size() - 1))
                               : generation.id == id;
    });
    return found == kGenerations.end() ? nullptr : &*found;
}

}  // namespace tilereel

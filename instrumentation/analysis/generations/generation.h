#pragma once
// GPU generations as data: the parameters of the rules of cost_of() and bank_service(), and the
// limits of an SM. A new generation is one row of the table in generation.cpp. The rules of 5.0 to
// 9.0 reproduce every row of tests/hardware/h100_warp_accesses.csv.
#include <cstdint>
#include <span>
#include <string_view>

#include "instrumentation/analysis/generations/device_limits.h"

namespace tilereel {

// The number of neighbouring lanes that are served together, by the width of their access.
struct LanesTogether {
    int of_4_bytes = 32, of_8_bytes = 32, of_16_bytes = 32;
    [[nodiscard]] int of(std::uint32_t width_bytes) const {
        return width_bytes <= 4 ? of_4_bytes : width_bytes == 8 ? of_8_bytes : of_16_bytes;
    }
};

struct SharedRules {
    int banks = 32;  // of 4 bytes; at most 32
    LanesTogether lanes{.of_4_bytes = 32, .of_8_bytes = 16, .of_16_bytes = 8};
    // Twice as many lanes of a load wider than 4 bytes are served together if lanes at distance one
    // or two load the same address.
    bool same_address_wide_loads_merge = true;
    // A wide access is one request for each of its 4-byte words.
    bool word_by_word = false;
    // True: one step of a load broadcasts a single word; every other bank serves one lane. False:
    // every word is broadcast to all lanes that load it.
    bool broadcasts_one_word = false;
};

// The memory transactions of the lanes that are served together.
enum class Coalescing : std::uint8_t {
    kSectors,   // one for each accessed aligned sector
    kSegments,  // one for each accessed aligned line, which is halved while one half is unused, but
                // not below a sector
    kInOrder,   // if lane k accesses word k of an aligned segment: that segment, in transactions of
                // at most a line; otherwise one sector for every active lane
};

struct GlobalRules {
    Coalescing coalescing = Coalescing::kSectors;
    LanesTogether lanes{};
    int sector_bytes = 32;                                // smallest transaction
    int line_bytes = 128;                                 // largest transaction
    std::string_view unit = "sector", units = "sectors";  // the name of a transaction
};

struct Generation {
    std::string_view id;     // compute capability, "9.0"
    std::string_view title;  // "H100 (9.0)"
    SharedRules shared{};
    GlobalRules global{};
    // Independent thread scheduling: only __syncwarp() orders the lanes' accesses of shared memory.
    bool independent_lanes = true;
    // False (before 8.0): an asynchronous copy is a load and a store.
    bool asynchronous_copies = false;
    DeviceLimits limits{};    // of an SM
    int multiprocessors = 0;  // of the GPU in the title
};

// The major version of a compute capability: 10 for "10.0".
[[nodiscard]] constexpr int major_version(std::string_view id) {
    int major = 0;
    for (const char digit : id.substr(0, id.find('.'))) major = 10 * major + (digit - '0');
    return major;
}
// Copies are asynchronous from 8.0: CUDA C++ Programming Guide 12, "Asynchronous Data Copies".
[[nodiscard]] constexpr bool has_asynchronous_copies(std::string_view id) {
    return major_version(id) >= 8;
}

[[nodiscard]] std::span<const Generation> generations();  // newest first
[[nodiscard]] const Generation& default_generation();     // 9.0
// The generation with this id; "2.x" is the newest one with major version 2. nullptr if there is
// none.
[[nodiscard]] const Generation* find_generation(std::string_view id);

}  // namespace tilereel

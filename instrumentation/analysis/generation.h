#pragma once
// GPU generations as data: the parameters of the rules by which cost_of() and bank_service() count
// a request, and what an SM holds. A new generation is one row of the table in generation.cpp. The
// rules of 5.0 to 9.0 reproduce every row of tests/hardware/h100_warp_accesses.csv.
#include <cstdint>
#include <span>
#include <string_view>

#include "instrumentation/analysis/device_limits.h"

namespace tilereel {

// How many neighbouring lanes are served together, by the bytes each of them accesses.
struct LanesTogether {
    int of_4_bytes = 32, of_8_bytes = 32, of_16_bytes = 32;
    [[nodiscard]] int of(std::uint32_t width_bytes) const {
        return width_bytes <= 4 ? of_4_bytes : width_bytes == 8 ? of_8_bytes : of_16_bytes;
    }
};

struct SharedRules {
    int banks = 32;  // of 4 bytes; at most 32
    LanesTogether lanes{.of_4_bytes = 32, .of_8_bytes = 16, .of_16_bytes = 8};
    // Loads wider than 4 bytes whose lanes one or two apart agree are served twice as many lanes at
    // a time.
    bool alike_wide_loads_merge = true;
    // A wide access is one request for each of its 4-byte words.
    bool word_by_word = false;
    // In one step of a load, several lanes may be given one and the same word; of every other bank,
    // one lane. Otherwise every word is given to all lanes that want it.
    bool broadcasts_one_word = false;
};

// How the global accesses of lanes served together become memory transactions.
enum class Coalescing : std::uint8_t {
    kSectors,   // each distinct aligned sector that is touched, wherever it lies
    kSegments,  // each distinct aligned line that is touched, halved while one half is unused, to
                // no less than a sector
    kInOrder,   // lane k at word k of an aligned segment: the segment, in lines at most; otherwise
                // one sector for every active lane
};

struct GlobalRules {
    Coalescing coalescing = Coalescing::kSectors;
    LanesTogether lanes{};
    int sector_bytes = 32;                                // least that a transaction moves
    int line_bytes = 128;                                 // most
    std::string_view unit = "sector", units = "sectors";  // what a transaction is called
};

struct Generation {
    std::string_view id;     // "9.0": as in report --json
    std::string_view title;  // "H100 (9.0)"
    SharedRules shared{};
    GlobalRules global{};
    // Lanes of a warp advance on their own, so only __syncwarp() orders what they do in shared
    // memory.
    bool independent_lanes = true;
    // Before 8.0 an asynchronous copy is a load and a store.
    bool asynchronous_copies = false;
    DeviceLimits limits{};    // of an SM
    int multiprocessors = 0;  // of the GPU that the title names
};

// The number before the point of a compute capability: 10 of "10.0".
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
// By its id; "2.x" is the newest of the 2s. nullptr if there is none.
[[nodiscard]] const Generation* find_generation(std::string_view id);

}  // namespace tilereel

#pragma once
// Copies of the copy engine: a box of a tensor, or contiguous bytes, from global to shared memory.
// The engine has no lanes. It is recorded by pieces: of 16 bytes where 16 bytes of a row lie in
// the tensor and begin at a multiple of 16, else of one element each.
#include <array>
#include <cstdint>
#include <vector>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

struct MemoryArray;
struct TensorMap;

struct BoxPiece {
    std::uint64_t from = 0;  // address; 0: outside of the tensor, comes as zeros
    std::uint64_t to = 0;    // address in shared memory
    std::array<unsigned char, 16> value{};
};

// At most kLanes pieces of one width, all inside the tensor or all outside.
struct BoxBatch {
    std::uint32_t width_bytes = 16;
    bool outside = false;
    std::uint32_t first = 0, count = 0;      // among the pieces
    Site *load = nullptr, *store = nullptr;  // where the block is recorded
};

struct BoxCopy {
    std::vector<BoxPiece> pieces;
    std::vector<BoxBatch> batches;
    std::uint32_t bytes = 0;  // all that a barrier counts
    MemoryArray *from = nullptr, *to = nullptr;
};

// Which pieces the box comes in that begins at the coordinates, innermost first.
[[nodiscard]] BoxCopy box_of(const TensorMap& map, const int* coordinates, std::uint64_t to);
[[nodiscard]] BoxCopy bytes_of(std::uint64_t from, std::uint64_t to, std::uint32_t bytes);
// Reads the values of the pieces; puts them in place.
void read(BoxCopy& copy);
void land(const BoxCopy& copy);

}  // namespace tilereel::plain

#pragma once
// Bulk copies of the Tensor Memory Accelerator (TMA) from global to shared memory: a box of a
// tensor, or contiguous bytes. The TMA has no lanes. A copy is recorded in pieces: 16 bytes of a
// row if they are aligned and all lie inside the tensor, or all outside; else single elements.
#include <array>
#include <cstdint>
#include <vector>

#include "instrumentation/cuda/hooks.h"

namespace tilereel::runtime {

struct MemoryArray;
struct TensorMap;

struct BoxPiece {
    std::uint64_t from = 0;  // address; 0: outside of the tensor, where the TMA reads zeros
    std::uint64_t to = 0;    // address in shared memory
    std::array<unsigned char, 16> value{};
};

// At most kLanes pieces of one width, all inside the tensor or all outside. They become one record.
struct BoxBatch {
    std::uint32_t width_bytes = 16;
    bool outside = false;
    std::uint32_t first = 0, count = 0;      // range in BoxCopy::pieces
    Site *load = nullptr, *store = nullptr;  // null if the block is not recorded
};

struct BoxCopy {
    std::vector<BoxPiece> pieces;
    std::vector<BoxBatch> batches;
    std::uint32_t bytes = 0;          // of the whole copy, as counted by its mbarrier
    std::uint32_t swizzle_bytes = 0;  // of a box; 0: not swizzled
    std::uint32_t line = 0;           // that started it; 0: not known
    bool is_box = false;              // of a tensor map, not contiguous bytes
    bool is_store = false;            // from shared to global memory: `to` to `from`
    MemoryArray *from = nullptr, *to = nullptr;
};

// The pieces of the box whose first element has these coordinates, innermost dimension first.
[[nodiscard]] BoxCopy box_copy(const TensorMap& map, const int* coordinates, std::uint64_t to);
// The pieces of a copy of contiguous bytes.
[[nodiscard]] BoxCopy contiguous_copy(std::uint64_t from, std::uint64_t to, std::uint32_t bytes);
void read_from_global(BoxCopy& copy);       // reads the values of the pieces
void write_to_shared(const BoxCopy& copy);  // writes them
// The other way round: `from` and BoxPiece::from are where a store goes to, in global memory.
void read_from_shared(BoxCopy& copy);
void write_to_global(const BoxCopy& copy);

}  // namespace tilereel::runtime

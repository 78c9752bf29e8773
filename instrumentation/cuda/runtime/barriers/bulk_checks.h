#pragma once
// What bulk copies have in common: their ends are checked, and their accesses have sites.
#include <cstdint>

#include "instrumentation/cuda/runtime/running_block.h"
#include "instrumentation/cuda/runtime/warp/box_copies.h"
#include "instrumentation/cuda/runtime/warp/encoded_tensor_map.h"

namespace tilereel::runtime {

// Alignment in shared memory: PTX ISA, cp.async.bulk.tensor and cp.async.bulk.
constexpr std::uint32_t kBoxUnit = 128, kBulkUnit = 16;

// Finds the allocation at `first`, in which all pieces must lie.
void check_source(BoxCopy& copy, std::uint64_t first);
// `to`: in the shared memory of `block`.
void check_target(BoxCopy& copy, RunningBlock& block, std::uint64_t to, std::uint32_t unit);
// `address`: in global memory.
void check_bulk(unsigned bytes, std::uint64_t address);
// The tensor map of a box that begins at these coordinates.
[[nodiscard]] TensorMap tensor_map(const void* map_address, const int* coordinates, unsigned rank);

// The type of the elements of a copy. `name`: of a type of 16 bits; or null.
struct ElementOfCopy {
    Scalar scalar = Scalar::kFloating;
    std::uint32_t bytes = 4;
    const char* name = nullptr;
};

[[nodiscard]] ElementOfCopy element_of(const TensorMap& map);

enum class CopyKind : unsigned char { kOwn, kOfOtherBlock, kStore };

void set_sites(BoxCopy& copy, const Site& call, const ElementOfCopy& element, CopyKind kind);

}  // namespace tilereel::runtime

#pragma once
// Invalid accesses of device code.
#include <cstdint>

#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/include/driver_types.h"

namespace tilereel::runtime {

struct MemoryArray;

enum class Fault : std::uint8_t {
    kOutOfBounds,
    kFarOutOfBounds,  // so far that a GPU has no memory there
    kMisaligned,
    kNullPointer,  // at a null pointer, or a little before or behind it
    kNoMemory,     // neither the GPU's nor the host's
    kHostMemory,   // memory that is not the GPU's
    kFreed,        // after cudaFree()
    kConstantStore,
    kEndedBlock,    // shared memory of a block of the cluster that has ended
    kMayHaveEnded,  // the same where only the order of the blocks decides
    kBlockNotBegun,
};
struct FaultPlace {
    Fault fault;
    const Site* site;
    std::uint32_t block, thread;
    const MemoryArray* array;   // the array that the access was meant for; null if unknown
    std::int64_t offset_bytes;  // in the array; of a null pointer: the address
    std::uint64_t address = 0;
    const Site* call = nullptr;  // of a library's site: the user's line that calls it; or null
};

// The error that ends the launch on a GPU, and that every later call returns. cudaSuccess: a GPU
// does not detect the access. CUDA Runtime API, "cudaError_t".
[[nodiscard]] constexpr cudaError_t error_of(Fault fault) {
    switch (fault) {
        case Fault::kMisaligned:
            return cudaErrorMisalignedAddress;
        case Fault::kFarOutOfBounds:
        case Fault::kNullPointer:
        case Fault::kNoMemory:
        case Fault::kHostMemory:
            return cudaErrorIllegalAddress;
        case Fault::kEndedBlock:  // "cluster target block not present"
            return cudaErrorLaunchFailure;
        case Fault::kMayHaveEnded:
        case Fault::kBlockNotBegun:
        case Fault::kOutOfBounds:
        case Fault::kFreed:
        case Fault::kConstantStore:
            break;
    }
    return cudaSuccess;
}

// A GPU maps memory in pages of 2 MiB. Farther from all allocations there is no memory.
inline constexpr std::uint64_t kFarBytes = std::uint64_t{2} << 20;

// Whether the address is that of an element of an array at a null pointer.
[[nodiscard]] constexpr bool is_null_pointer(std::uint64_t address) {
    constexpr std::uint64_t kNear = std::uint64_t{16} << 20;
    return address < kNear || address > ~std::uint64_t{0} - kNear;
}

}  // namespace tilereel::runtime

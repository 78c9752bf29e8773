#pragma once
// Invalid accesses of device code.
#include <cstdint>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

struct MemoryArray;

enum class Fault : std::uint8_t {
    kOutOfBounds,
    kMisaligned,
    kHostMemory,  // memory that is not the GPU's
    kFreed,       // after cudaFree()
    kConstantStore,
};
struct FaultPlace {
    Fault fault;
    const Site* site;
    std::uint32_t block, thread;
    const MemoryArray* array;   // the array that the access was meant for; null if unknown
    std::int64_t offset_bytes;  // in the array
};

}  // namespace tilereel::plain

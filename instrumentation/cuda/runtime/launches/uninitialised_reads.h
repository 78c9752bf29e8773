#pragma once
// Reads of device memory that nothing has written: a copy from the host is missing or too short, or
// the memory was never cleared. compute-sanitizer's initcheck finds the same on a GPU.
//
// Each finding is true, though some mistakes are missed. Copies and cudaMemset() note their bytes
// (DeviceMemory::note_written()). Whatever else stores to an allocation, with hooks or without, is
// noticed at its first store (DeviceMemory::note_store()). Of a launch whose blocks were all
// recorded, the records say which elements it wrote; after any other launch, an array that it
// stored to counts as written. So does what host code stores to between launches, as Thrust does
// (DeviceMemory::keep_open()).
#include "instrumentation/cuda/runtime/launches/trace_arrays.h"

namespace tilereel::runtime {

// Which blocks of the launch were recorded. kSomeSoFar: others still run.
enum class RecordedPart : std::uint8_t { kAll, kSome, kSomeSoFar };

// Adds a finding for each array with elements that the launch reads and that neither the host nor a
// kernel has written. Notes what the launch has written. Device memory is open.
void find_uninitialised_reads(Trace& trace, const TraceArrays& arrays, RecordedPart part);

}  // namespace tilereel::runtime

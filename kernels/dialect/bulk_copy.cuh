#pragma once
// What only a Hopper or newer has (compute capability 9.0), as few functions: boxes of a matrix
// that the copy engine brings into shared memory by itself, and barriers in shared memory that
// count the bytes that have come. Native build only.
#include "kernels/dialect/copy_engine.cuh"
#include "kernels/dialect/dialect.h"

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

using device::shared_address;

// A matrix in global memory as the copy engine sees it: where it lies, how large it is, the box
// that a copy takes, and how the box is laid out in shared memory. Made by the host
// (cuTensorMapEncodeTiled), a `const __grid_constant__` parameter of the kernel.
using BoxMap = CUtensorMap;

// A barrier in shared memory whose phases end once `arrivals` threads have arrived and all bytes
// announced for the phase have come. Phases alternate between parity 0 and 1, from 0.
class Arrival {
  public:
    TILEREEL_INLINE void init(int arrivals) { device::init_arrival(&state_, arrivals); }
    TILEREEL_INLINE void arrive() { device::arrive(&state_); }
    // Arrives, and announces bytes that copies of this phase will bring.
    TILEREEL_INLINE void arrive_expecting(int bytes) { device::arrive_expecting(&state_, bytes); }
    // Whether the phase of this parity has ended. Does not wait.
    TILEREEL_INLINE bool ended(int parity) const { return device::phase_ended(&state_, parity); }
    // Waits until the phase of this parity has ended; what the copies brought is then there to
    // be read.
    TILEREEL_INLINE void wait(int parity) const { device::wait_for_phase(&state_, parity); }
    TILEREEL_INLINE std::uint64_t* state() { return &state_; }

  private:
    std::uint64_t state_;
};

// Makes the barriers' initial state visible to the copy engine, before the block's barrier makes it
// visible to the other threads.
TILEREEL_INLINE void publish_arrivals() { device::publish_arrivals(); }

// Starts the copy of the map's box whose first element is (row, column) to shared memory: one
// thread does, no thread waits. What lies outside the matrix comes as 0. Its bytes count towards
// `full`.
TILEREEL_INLINE void copy_box(float* shared, const BoxMap& map, int row, int column,
                              Arrival& full) {
    device::start_box(shared, &map, row, column, full.state());
}

// A launch may begin while the one before it in its stream still runs (programmatic dependent
// launch). This waits until that one is done and what it wrote can be read (PTX ISA, 9.7.13.14
// "griddepcontrol").
TILEREEL_INLINE void wait_for_launch_before() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
// Lets the next launch in the stream begin where there is room, once all blocks have said so.
TILEREEL_INLINE void let_next_launch_begin() { asm volatile("griddepcontrol.launch_dependents;"); }

// The assembler moves no shared read across this. It costs one issue slot and means nothing where
// the next launch may begin already.
TILEREEL_INLINE void keep_order() { let_next_launch_begin(); }

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect

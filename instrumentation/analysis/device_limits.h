#pragma once
// What one SM of a GPU generation holds: the limits that occupancy_of() works with.

namespace tilereel {

struct DeviceLimits {
    int warps = 64;   // resident on an SM
    int blocks = 32;  // resident on an SM
    int threads_per_block = 1024;

    int registers = 65536;  // of 32 bits, of an SM
    int registers_per_block = 65536;
    int registers_per_thread = 255;
    int register_unit = 256;          // registers are given out in multiples of this,
    bool registers_to_block = false;  // to a whole block at once; false: to each warp
    int partitions = 4;  // that share the registers; a launch must fit with its warps rounded up to
                         // a multiple of them
    int family_partitions = 0;  // of the generation's relatives, on which a block must run, too

    int shared_bytes = 49152;                 // of an SM
    int shared_bytes_per_block = 49152;       // most that a launch can have, where it asks for it
    int shared_bytes_without_asking = 49152;  // most that it has otherwise
    int shared_unit_bytes = 256;              // shared memory is given out in multiples of this
    int shared_reserved_bytes = 0;            // of each block, by the system

    [[nodiscard]] int threads() const { return 32 * warps; }
};

}  // namespace tilereel

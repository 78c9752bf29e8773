#pragma once
// The limits of one SM of a GPU generation, for occupancy_of().

namespace tilereel {

struct DeviceLimits {
    int warps = 64;   // resident on an SM
    int blocks = 32;  // resident on an SM
    int threads_per_block = 1024;

    int registers = 65536;  // 32-bit registers per SM
    int registers_per_block = 65536;
    int registers_per_thread = 255;
    int register_unit = 256;          // registers are allocated in multiples of this,
    bool registers_to_block = false;  // to a whole block at once; false: to each warp
    int partitions = 4;  // of the SM, which share the registers; a launch must fit with its warps
                         // rounded up to a multiple of this
    int family_partitions = 0;  // of related compute capabilities, on which a block must also run

    int shared_bytes = 49152;                    // per SM
    int shared_bytes_per_block = 49152;          // limit after cudaFuncSetAttribute()
    int default_shared_bytes_per_block = 49152;  // limit without it
    int shared_unit_bytes = 256;                 // shared memory is allocated in multiples of this
    int shared_reserved_bytes = 0;               // reserved by the system, per block

    [[nodiscard]] int threads() const { return 32 * warps; }
};

}  // namespace tilereel

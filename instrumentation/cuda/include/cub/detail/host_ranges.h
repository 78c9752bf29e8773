#pragma once
// What the device-wide functions, which run on the host, need of the runtime.
#include <cstddef>

#include "driver_types.h"

extern "C" {
struct tilereel_cub_range {
    const void* begin;
    std::size_t bytes;
};
// Between the two, host code can access device memory. The ranges must lie in device memory.
cudaError_t tilereel_cub_begin(const char* name, const struct tilereel_cub_range* ranges,
                               std::size_t count);
void tilereel_cub_end(void);
}

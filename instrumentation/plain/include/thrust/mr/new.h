#pragma once
// Stands for Thrust's header of this name: what its sequential backend allocates is managed memory,
// so that kernels may use it and it is recorded. Thrust, "Memory Resources".
#include <thrust/detail/config.h>
#include <thrust/mr/memory_resource.h>

#include <new>

#include "cuda_runtime.h"

// Thrust's algorithms run on the host, on the device's memory, too. From the first use on, host
// code may touch it.
extern "C" int tilereel_keep_memory_open(void);
inline const int tilereel_thrust_runs_here = tilereel_keep_memory_open();

THRUST_NAMESPACE_BEGIN
namespace mr {

class new_delete_resource final : public memory_resource<> {
  public:
    void* do_allocate(std::size_t bytes, std::size_t) override {
        void* pointer = nullptr;
        if (cudaMallocManaged(&pointer, bytes) != cudaSuccess) throw std::bad_alloc();
        return pointer;
    }
    void do_deallocate(void* pointer, std::size_t, std::size_t) override { cudaFree(pointer); }
};

}  // namespace mr
THRUST_NAMESPACE_END

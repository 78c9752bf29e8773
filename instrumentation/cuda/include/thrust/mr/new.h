#pragma once
// Replaces Thrust's header of this name. Thrust's sequential backend then allocates managed memory,
// which kernels can access and which is recorded. Thrust, "Memory Resources".
#include <thrust/detail/config.h>
#include <thrust/mr/memory_resource.h>

#include <new>

#include "cuda_runtime.h"

// Thrust's algorithms run on the host, even for device memory. Therefore host code may access
// device memory in programs with this header.
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

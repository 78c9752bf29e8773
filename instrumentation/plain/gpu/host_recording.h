// One launch of a recorded program that is recorded, and memory for it. C++17.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "host_parent.h"
#include "host_runtime.h"

extern "C" cudaError_t __real_cudaMalloc(void**, size_t);
extern "C" cudaError_t __real_cudaFree(void*);

namespace tilereel_gpu {

// GPU memory of the recorder's own.
class Buffer {
  public:
    Buffer() = default;
    ~Buffer() { __real_cudaFree(memory_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    bool make(std::uint64_t bytes) {
        __real_cudaFree(memory_);
        memory_ = nullptr;
        if (__real_cudaMalloc(&memory_, std::max<std::uint64_t>(bytes, 8)) == cudaSuccess &&
            cudaMemset(memory_, 0, bytes) == cudaSuccess)
            return true;
        cudaGetLastError();
        return false;
    }
    template <class T>
    T* as() const {
        return static_cast<T*>(memory_);
    }

  private:
    void* memory_ = nullptr;
};
template <class T>
bool put(Buffer& to, const std::vector<T>& from) {
    return to.make(from.size() * sizeof(T)) &&
           cudaMemcpy(to.as<void>(), from.data(), from.size() * sizeof(T),
                      cudaMemcpyHostToDevice) == cudaSuccess;
}
template <class T>
bool get(const Buffer& from, std::vector<T>& to) {
    return cudaMemcpy(to.data(), from.as<void>(), to.size() * sizeof(T), cudaMemcpyDeviceToHost) ==
           cudaSuccess;
}

// One launch that is recorded.
class Recording {
  public:
    Recording(const LaunchCall& call, std::uint32_t number) : call_(call), number_(number) {
        blocks_ = std::uint64_t{call.grid.x} * call.grid.y * call.grid.z;
        warps_ = (call.block.x * call.block.y * call.block.z + 31) / 32;
    }

    cudaError_t run();

  private:
    cudaError_t record();

    // Runs without being recorded, and says why.
    cudaError_t unrecorded(const char* why);
    cudaError_t refused(cudaError_t error);
    Message launch_message() const;
    // The system's own part of a block's shared memory lies before it.
    static std::uint32_t shared_begin();
    std::uint64_t shared_bytes() const;

    // The program's memory as it is before the launch.
    bool save();
    bool restore();

    std::vector<std::uint32_t> blocks_to_count() const;
    std::vector<std::uint32_t> asked_blocks() const;
    std::vector<std::uint32_t> with_more(std::vector<std::uint32_t> chosen) const;
    // As the CPU's runtime spreads them: the first, the middle and the last before others, which
    // lie evenly between them.
    std::vector<std::uint32_t> spread(std::uint64_t count) const;
    // What the budget allows by the accesses of the first block.
    std::vector<std::uint32_t> choose(const std::vector<std::uint32_t>& counted) const;

    // Segments as long as the counts of the pass before.
    bool make_room(const std::vector<std::uint32_t>& counted,
                   const std::vector<std::uint32_t>& chosen);

    cudaError_t pass(const std::vector<std::uint32_t>& recorded, bool counts_only);

    void tell(const std::vector<std::uint32_t>& chosen);

    bool write_dump(const std::string& path, const std::vector<std::uint32_t>& chosen);

    const LaunchCall& call_;
    std::uint32_t number_;
    std::uint64_t blocks_ = 0;
    std::uint32_t warps_ = 0;  // of a block
    std::vector<Region> regions_;
    Buffer saved_;
    std::vector<std::uint64_t> saved_at_;  // by region
    Buffer slots_, begins_, counters_, multiprocessors_, places_, records_, words_;
    std::vector<std::uint64_t> counts_;  // by warp, of the last pass
    std::vector<std::uint64_t> segment_begin_ = {0};
};

}  // namespace tilereel_gpu

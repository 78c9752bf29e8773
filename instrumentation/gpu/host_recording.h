// Records one launch of a program, and allocates the GPU memory that this needs. C++17.
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
    void free() {
        __real_cudaFree(memory_);
        memory_ = nullptr;
    }
    bool make(std::uint64_t bytes) {
        free();
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

// Records one launch (host_launch.cpp describes the two passes).
class Recording {
  public:
    Recording(const LaunchCall& call, std::uint32_t number) : call_(call), number_(number) {
        blocks_ = std::uint64_t{call.grid.x} * call.grid.y * call.grid.z;
        warps_ = (call.block.x * call.block.y * call.block.z + 31) / 32;
        cluster_ = cluster();
    }

    cudaError_t run();

  private:
    cudaError_t record();

    // Runs the launch without recording it, and reports why.
    cudaError_t run_unrecorded(const char* why);
    cudaError_t report_failure(cudaError_t error);
    contract::Launch launch_message() const;
    void send_reason(const std::string& why) const;
    // The bytes of shared memory that CUDA reserves before a block's own.
    static std::uint32_t shared_begin();
    std::uint64_t shared_bytes() const;
    // The blocks of a cluster, as the kernel or the launch gives them.
    dim3 cluster() const;
    // With the other blocks of their clusters.
    std::vector<std::uint32_t> whole_clusters(std::vector<std::uint32_t> blocks) const;

    // Copies the program's memory before the launch; puts the copy back. False on failure.
    bool save();
    bool restore();

    std::vector<std::uint32_t> blocks_to_count() const;
    std::vector<std::uint32_t> requested_blocks() const;
    std::vector<std::uint32_t> with_more_blocks(std::vector<std::uint32_t> chosen) const;
    // `count` blocks, chosen as by spread_blocks() of the CPU's runtime: the first, the middle and
    // the last one, and others at equal distances.
    std::vector<std::uint32_t> spread(std::uint64_t count) const;
    // The blocks to record: as many as the budget allows if each makes as many accesses as the
    // first one.
    std::vector<std::uint32_t> choose(const std::vector<std::uint32_t>& counted) const;

    // Records by warp: as many as the previous pass counted; or more than it had room for.
    std::vector<std::uint64_t> counted_records(const std::vector<std::uint32_t>& counted,
                                               const std::vector<std::uint32_t>& chosen) const;
    std::vector<std::uint64_t> more_records() const;
    // Lays out a segment for each warp and allocates memory for all. False if the GPU has too
    // little.
    bool make_room(const std::vector<std::uint64_t>& records);
    std::uint64_t room_of(std::size_t warp) const {
        return segment_begin_[warp + 1] - segment_begin_[warp];
    }
    // Whether the last pass had room for all records.
    bool is_whole() const;

    // What the program prints comes from the first pass that records.
    enum class Pass { kCounts, kRecords, kRepeats };
    cudaError_t pass(const std::vector<std::uint32_t>& recorded, Pass what);

    void write_and_report(const std::vector<std::uint32_t>& chosen);

    bool write_dump(const std::string& path, const std::vector<std::uint32_t>& chosen);

    const LaunchCall& call_;
    std::uint32_t number_;
    std::uint64_t blocks_ = 0;
    std::uint32_t warps_ = 0;  // of a block
    dim3 cluster_;
    std::vector<Region> regions_;
    Buffer saved_;
    std::vector<std::uint64_t> saved_at_;  // by region
    Buffer slots_, begins_, counters_, multiprocessors_, places_, records_, words_;
    std::vector<std::uint64_t> counts_;  // by warp, of the last pass
    std::vector<std::uint64_t> segment_begin_ = {0};
};

}  // namespace tilereel_gpu

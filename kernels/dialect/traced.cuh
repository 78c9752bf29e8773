#pragma once
// The traced build: before each access, barrier and multiply-add, the warp appends a record of it
// to its segment of GPU memory. device_trace.h says what is written and what must be there.
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/dialect/async_copy.cuh"
#include "kernels/dialect/device_trace.h"

#define TILEREEL_BUILD_NAMESPACE traced
#define TILEREEL_INLINE __device__ __forceinline__

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

using device::DeviceOperation;

// One a translation unit: whoever launches its kernels copies the pointers here.
static __constant__ device::DeviceTrace device_trace;

TILEREEL_INLINE std::uint32_t block_number() {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
TILEREEL_INLINE std::uint32_t thread_number() {  // within the block
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
TILEREEL_INLINE std::uint32_t threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }

TILEREEL_INLINE device::DeviceThread& this_thread() {
    const auto thread = std::uint64_t{block_number()} * threads_of_block() + thread_number();
    return device_trace.threads[thread];
}

TILEREEL_INLINE std::uint32_t warp_number() {  // of the launch
    return block_number() * ((threads_of_block() + 31) / 32) + thread_number() / 32;
}
TILEREEL_INLINE std::uint32_t this_lane() {
    std::uint32_t lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

// The warp's next `count` records are the calling thread's. The first of them, from 0: then it
// tells where the warp runs.
TILEREEL_INLINE std::uint32_t take_records(std::uint32_t warp, std::uint32_t count) {
    return atomicAdd(&device_trace.record_counts[warp], count);
}
TILEREEL_INLINE void tell_multiprocessor(std::uint32_t warp) {
    std::uint32_t multiprocessor;
    asm("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    device_trace.multiprocessors[warp] = multiprocessor;
}

TILEREEL_INLINE bool has_room(std::uint32_t warp, std::uint64_t at) {
    return at < device_trace.segment_begin[warp + 1];
}
TILEREEL_INLINE void leave_record_out() {
    atomicAdd(reinterpret_cast<unsigned long long*>(device_trace.left_out), 1ull);
}

TILEREEL_INLINE void write_record(std::uint64_t at, std::uint32_t site, std::uint32_t mask) {
    std::uint64_t clock;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock));
    device_trace.records[at] = {site, mask, clock};
}

// Appends one record for the lanes that are at this site together. `lane_word` is this lane's.
// The site is part of the match because the compiler may merge the code of two sites.
static __device__ __noinline__ void append_record(std::uint32_t site, std::uint32_t lane_word) {
    const std::uint32_t mask = __match_any_sync(__activemask(), site);
    const std::uint32_t lane = this_lane();
    const auto leader = static_cast<std::uint32_t>(__ffs(static_cast<int>(mask)) - 1);
    const std::uint32_t warp = warp_number();

    std::uint32_t slot = 0;
    if (lane == leader) slot = take_records(warp, 1);
    slot = __shfl_sync(mask, slot, static_cast<int>(leader));
    if (slot == 0 && lane == leader) tell_multiprocessor(warp);
    if (device_trace.records == nullptr) return;

    const std::uint64_t at = device_trace.segment_begin[warp] + slot;
    if (!has_room(warp, at)) {
        if (lane == leader) leave_record_out();
        return;
    }
    std::uint32_t* const words = device_trace.lane_words + at * 32;
    words[lane] = lane_word;
    // 0 for lanes that are not here, each by the one before it: whoever copies the buffer must not
    // read memory that nobody wrote.
    for (std::uint32_t next = lane + 1; next < 32 && (mask >> next & 1) == 0; ++next)
        words[next] = 0;
    if (lane == leader)
        for (std::uint32_t next = 0; next < leader; ++next) words[next] = 0;
    if (lane == leader) write_record(at, site, mask);
}

static __device__ __noinline__ void report_fault(std::uint32_t line, std::uint32_t array,
                                                 bool misaligned, long long index,
                                                 long long limit) {
    device::DeviceFaults& faults = *device_trace.faults;
    if (atomicAdd(&faults.count, 1u) != 0) return;
    faults.line = line;
    faults.array = array;
    faults.misaligned = misaligned ? 1 : 0;
    faults.index = index;
    faults.limit = limit;
}

// Offset from the block's own shared memory. Since sm_80 the system keeps a region before it, of
// %reserved_smem_offset_cap bytes (PTX ISA, Special Registers).
TILEREEL_INLINE std::uint32_t offset_in_shared_memory(const void* element) {
    std::uint32_t begin = 0;
#if __CUDA_ARCH__ >= 800
    asm("mov.u32 %0, %%reserved_smem_offset_cap;" : "=r"(begin));
#endif
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(element)) - begin;
}

struct Place;

struct Hooks {
    static constexpr bool kRecords = true;
    TILEREEL_INLINE static long long checked(long long index, long long count, std::uint32_t line,
                                             std::uint32_t array) {
        if (0 <= index && index < count) [[likely]]
            return index;
        report_fault(line, array, false, index, count);
        return 0;
    }
    TILEREEL_INLINE static void check_aligned(unsigned long long offset_bytes,
                                              std::uint32_t width_bytes, std::uint32_t line,
                                              std::uint32_t array) {
        if (offset_bytes % width_bytes != 0)
            report_fault(line, array, true, static_cast<long long>(offset_bytes), width_bytes);
    }
    TILEREEL_INLINE static std::uint32_t shared_offset(const void* element) {
        return offset_in_shared_memory(element);
    }
    template <class T>
    TILEREEL_INLINE static T load(const T* element, const Place& place);
    template <class T>
    TILEREEL_INLINE static void store(T* element, const Place& place, const T& value);
    template <class T>
    TILEREEL_INLINE static void copy(T* to, const Place& at_to, const T* from,
                                     const Place& at_from);
    TILEREEL_INLINE static void commit_copies(std::uint32_t line) {
        append_record(device::pack_site(line, 0, 0, DeviceOperation::kCommitCopies), 0);
        device::commit_group();
    }
    template <int Newest>
    TILEREEL_INLINE static void wait_copies(std::uint32_t line) {
        append_record(device::pack_site(line, Newest, 0, DeviceOperation::kWaitCopies), 0);
        device::wait_group<Newest>();
    }

    TILEREEL_INLINE static std::uint32_t begin_accumulator() {
        return this_thread().accumulators++;
    }
    TILEREEL_INLINE static void end_accumulator() { --this_thread().accumulators; }
    TILEREEL_INLINE static void multiply_add(std::uint32_t line, std::uint32_t accumulator,
                                             float after) {
        append_record(
            device::pack_site(line, accumulator, sizeof(float), DeviceOperation::kMultiplyAdd),
            __float_as_uint(after));
    }

    // A barrier in shared memory and one of its phases.
    TILEREEL_INLINE static void of_phase(std::uint32_t line, DeviceOperation operation,
                                         std::uint32_t barrier, std::uint32_t phase) {
        append_record(device::pack_site(line, 0, 0, operation), barrier << 24 | phase);
    }

    // The number of the shared array that the calling thread declares next.
    __device__ static std::uint32_t begin_shared_array(const void* first, std::uint32_t size_bytes);

    TILEREEL_INLINE static void sync_threads(std::uint32_t line) {
        append_record(device::pack_site(line, 0, 0, DeviceOperation::kBarrier), 0);
        __syncthreads();
    }
    TILEREEL_INLINE static void sync_warp(std::uint32_t line, std::uint32_t mask = 0xffffffff) {
        append_record(device::pack_site(line, 0, 0, DeviceOperation::kWarpBarrier), 0);
        __syncwarp(mask);
    }
};

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect

#include "kernels/dialect/dynamic_shared.cuh"

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

template <class T>
TILEREEL_INLINE T Hooks::load(const T* element, const Place& place) {
    append_record(device::pack_site(place.line, place.array, sizeof(T), DeviceOperation::kLoad),
                  place.offset_bytes);
    return *element;
}

// The words of what an access stores, one record each.
template <class T>
TILEREEL_INLINE void append_value(const Place& place, const T& value) {
    struct Words {
        std::uint32_t word[sizeof(T) / 4];
    };
    const auto words = __builtin_bit_cast(Words, value);
    for (const std::uint32_t word : words.word)
        append_record(
            device::pack_site(place.line, place.array, sizeof(T), DeviceOperation::kStoredWord),
            word);
}

template <class T>
TILEREEL_INLINE void Hooks::store(T* element, const Place& place, const T& value) {
    append_record(device::pack_site(place.line, place.array, sizeof(T), DeviceOperation::kStore),
                  place.offset_bytes);
    append_value(place, value);
    *element = value;
}

// Two records, one instruction: what it reads in global memory, what it writes in shared memory.
template <class T>
TILEREEL_INLINE void Hooks::copy(T* to, const Place& at_to, const T* from, const Place& at_from) {
    append_record(
        device::pack_site(at_to.line, at_from.array, sizeof(T), DeviceOperation::kCopyLoad),
        at_from.offset_bytes);
    append_record(
        device::pack_site(at_to.line, at_to.array, sizeof(T), DeviceOperation::kCopyStore),
        at_to.offset_bytes);
    append_value(at_to, *from);
    device::start_copy(to, from);
}

inline __device__ std::uint32_t Hooks::begin_shared_array(const void* first,
                                                          std::uint32_t size_bytes) {
    const std::uint32_t number = this_thread().shared_arrays++;
    if (block_number() == 0 && thread_number() == 0 && number < device::kMostSharedArrays) {
        device_trace.shared_arrays[number] = {shared_offset(first), size_bytes};
        *device_trace.shared_array_count = number + 1;
    }
    return kGlobalArrays + number;
}

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect

#define __syncthreads() ::tilereel::dialect::Hooks::sync_threads(__LINE__)
#define __syncwarp(...) ::tilereel::dialect::Hooks::sync_warp(__LINE__ __VA_OPT__(, ) __VA_ARGS__)

#pragma once
// Lanes, warps and shuffles. CUB documentation, "PTX intrinsics".
#pragma GCC system_header
#include "cub/util_type.cuh"

#define CUB_PTX_WARP_THREADS 32
#define CUB_WARP_THREADS(arch) 32
#define CUB_LOG_WARP_THREADS(arch) 5
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_PTX_ARCH 0

namespace cub {

inline unsigned LaneId() { return tilereel::runtime::lane_number(); }
inline unsigned WarpId() { return tilereel::runtime::thread_number() / kWarpThreads; }
inline unsigned LaneMaskLt() { return (1u << LaneId()) - 1; }
inline unsigned LaneMaskLe() { return (2u << LaneId()) - 1; }
inline unsigned LaneMaskGt() { return ~LaneMaskLe(); }
inline unsigned LaneMaskGe() { return ~LaneMaskLt(); }
inline int RowMajorTid(int x, int y, int) {
    return int((threadIdx.z * unsigned(y) + threadIdx.y) * unsigned(x) + threadIdx.x);
}
__device__ inline void CTA_SYNC() { __syncthreads(); }
__device__ inline int CTA_SYNC_AND(int predicate) { return __syncthreads_and(predicate); }
__device__ inline int CTA_SYNC_OR(int predicate) { return __syncthreads_or(predicate); }
__device__ inline void WARP_SYNC(unsigned mask) { __syncwarp(mask); }
__device__ inline int WARP_ALL(int predicate, unsigned mask) { return __all_sync(mask, predicate); }
__device__ inline int WARP_ANY(int predicate, unsigned mask) { return __any_sync(mask, predicate); }
__device__ inline int WARP_BALLOT(int predicate, unsigned mask) {
    return int(__ballot_sync(mask, predicate));
}
template <class T>
inline unsigned BFE(T source, unsigned begin, unsigned bits) {
    return unsigned((static_cast<unsigned long long>(source) >> begin) & ((1ull << bits) - 1));
}
inline unsigned SHR_ADD(unsigned x, unsigned shift, unsigned add) { return (x >> shift) + add; }
inline unsigned SHL_ADD(unsigned x, unsigned shift, unsigned add) { return (x << shift) + add; }
template <int kLogicalThreads, int kArch = 0>
inline unsigned WarpMask(unsigned warp) {
    return kLogicalThreads >= kWarpThreads
               ? ~0u
               : ((1u << kLogicalThreads % 32) - 1) << warp * kLogicalThreads;
}

// Values of any type. Lanes without a source keep their own value.
template <int kLogicalThreads, class T>
__device__ inline T ShuffleUp(T input, int offset, int first_thread, unsigned mask) {
    const detail::LogicalWarp<kLogicalThreads> warp;
    return detail::shfl_up(mask, input, warp.lane, offset, warp.first + first_thread);
}
template <int kLogicalThreads, class T>
__device__ inline T ShuffleDown(T input, int offset, int last_thread, unsigned mask) {
    const detail::LogicalWarp<kLogicalThreads> warp;
    return detail::shfl_down(mask, input, warp.lane, offset, warp.first + last_thread);
}
template <int kLogicalThreads, class T>
__device__ inline T ShuffleIndex(T input, int source, unsigned mask) {
    const detail::LogicalWarp<kLogicalThreads> warp;
    return detail::shfl(mask, input, warp.first + source % kLogicalThreads);
}
// The lanes whose lowest kBits bits of the label are those of this lane.
template <int kBits>
__device__ inline unsigned MatchAny(unsigned label) {
    return __match_any_sync(~0u, kBits >= 32 ? label : label & ((1u << kBits % 32) - 1));
}

}  // namespace cub

#pragma once
// Functions of compute capability 9.0 for clusters of blocks, as CUDA declares them in
// crt/sm_90_rt.h. Cooperative groups have the same by their own names.
#include "tilereel/language.h"
#include "tilereel/runtime_calls.h"

inline unsigned __clusterDimIsSpecified() { return tilereel::runtime::cluster_place().blocks > 1; }
inline dim3 __clusterDim() {
    const auto& extents = tilereel::runtime::cluster_place().extents;
    return dim3(extents[0], extents[1], extents[2]);
}
inline dim3 __clusterRelativeBlockIdx() {
    const auto& index = tilereel::runtime::cluster_place().index;
    return dim3(index[0], index[1], index[2]);
}
inline dim3 __clusterGridDimInClusters() {
    const auto& extents = tilereel::runtime::cluster_place().of_clusters;
    return dim3(extents[0], extents[1], extents[2]);
}
inline dim3 __clusterIdx() {
    const auto& index = tilereel::runtime::cluster_place().cluster;
    return dim3(index[0], index[1], index[2]);
}
inline unsigned __clusterRelativeBlockRank() { return tilereel::runtime::cluster_place().rank; }
inline unsigned __clusterSizeInBlocks() { return tilereel::runtime::cluster_place().blocks; }
inline TILEREEL_CALL void __cluster_barrier_arrive() { tilereel::runtime::cluster_arrive(); }
inline TILEREEL_CALL void __cluster_barrier_arrive_relaxed() {
    tilereel::runtime::cluster_arrive();
}
inline TILEREEL_CALL void __cluster_barrier_wait() { tilereel::runtime::cluster_wait(); }
inline void __threadfence_cluster() {}
inline TILEREEL_CALL void* __cluster_map_shared_rank(const void* pointer, unsigned rank) {
    return tilereel::runtime::mapped_shared(pointer, rank);
}
inline TILEREEL_CALL unsigned __cluster_query_shared_rank(const void* pointer) {
    return tilereel::runtime::rank_of_shared(pointer);
}

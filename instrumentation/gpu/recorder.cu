// The functions that a recorded program's kernels call. Compiled to PTX, they become part of the
// program's own PTX (ptx_patch.h). CUDA C++17.
//
// A warp writes its records one after another into its own segment. A launch takes two passes: with
// `records` null every warp only counts, then the segments are laid out by those counts and filled.
// A record that does not fit into its segment is counted, but not written.
#include "dump.h"

// host_calls.cpp registers it in each module of the program.
extern "C" __constant__ tilereel_gpu::DeviceTrace tilereel_gpu_trace;
__constant__ tilereel_gpu::DeviceTrace tilereel_gpu_trace;

#define TILEREEL_GPU_INLINE static __device__ __forceinline__
#define TILEREEL_GPU_HOOK extern "C" __noinline__ __device__

TILEREEL_GPU_INLINE unsigned tilereel_gpu_block() {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
TILEREEL_GPU_INLINE unsigned tilereel_gpu_thread() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

TILEREEL_GPU_INLINE unsigned tilereel_gpu_lane() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

// Finds the number of the warp's segment. Returns false if its block is not recorded.
TILEREEL_GPU_INLINE bool tilereel_gpu_warp(unsigned& warp) {
    if (tilereel_gpu_trace.slot_of_block == nullptr) return false;
    const unsigned slot = tilereel_gpu_trace.slot_of_block[tilereel_gpu_block()];
    if (slot == tilereel_gpu::kNotRecorded) return false;
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    warp = slot * ((threads + 31) / 32) + tilereel_gpu_thread() / 32;
    return true;
}

// Appends a record and `more` further rows of words, for the lanes that are here together. The
// first row holds `word`, the others `values`, at most kMost. The site is part of the match because
// the compiler may merge the code of two sites.
template <unsigned kMost = 4>
TILEREEL_GPU_INLINE void tilereel_gpu_append(unsigned site, unsigned caller, unsigned high,
                                             unsigned word, unsigned more, const unsigned* values,
                                             bool is_access = true) {
    unsigned warp = 0;
    if (!tilereel_gpu_warp(warp)) return;
    unsigned mask =
        __match_any_sync(__activemask(), static_cast<unsigned long long>(site) << 32 | high);
    if (caller != 0) mask = __match_any_sync(mask, caller);
    const unsigned lane = tilereel_gpu_lane();
    const unsigned leader = static_cast<unsigned>(__ffs(static_cast<int>(mask)) - 1);
    unsigned slot = 0;
    if (lane == leader) {
        const unsigned long long count =
            static_cast<unsigned long long>(is_access ? __popc(mask) : 0) << 32 | (1 + more);
        const auto before = atomicAdd(
            reinterpret_cast<unsigned long long*>(&tilereel_gpu_trace.counts[warp]), count);
        slot = static_cast<unsigned>(before);
        if (slot == 0) {
            unsigned multiprocessor;
            asm("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
            tilereel_gpu_trace.multiprocessors[warp] = multiprocessor;
        }
    }
    slot = __shfl_sync(mask, slot, static_cast<int>(leader));
    if (tilereel_gpu_trace.records == nullptr) return;
    const unsigned long long at = tilereel_gpu_trace.segment_begin[warp] + slot;
    if (at + more < tilereel_gpu_trace.segment_begin[warp + 1]) {
        unsigned* const words = tilereel_gpu_trace.words + at * 32 + lane;
        words[0] = word;
#pragma unroll
        for (unsigned i = 0; i < kMost; ++i)
            if (i < more) words[(i + 1) * 32] = values[i];
        if (lane == leader) {
            long long clock;
            asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock));
            tilereel_gpu_trace.records[at] = {site >> tilereel_gpu::kSpaceBits, caller, mask, high,
                                              static_cast<unsigned long long>(clock)};
        }
    }
    __syncwarp(mask);
}

// The distance of an address of shared memory from the begin of the block's own. In a cluster the
// address says which block it is of, too (an H200 has the block's rank in the upper 8 bits), so
// both are taken in the block itself.
TILEREEL_GPU_INLINE unsigned tilereel_gpu_offset(unsigned address) {
    unsigned begin = tilereel_gpu_trace.shared_begin;
#if __CUDA_ARCH__ >= 900
    unsigned own;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(own));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(address), "r"(own));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(begin) : "r"(begin), "r"(own));
#endif
    return address - begin;
}

// Of an address in the shared memory of the cluster: 0 if it is the own block's; else the bit of
// the block, by rank, and `high` for its barriers.
TILEREEL_GPU_INLINE unsigned tilereel_gpu_other_block(unsigned address, unsigned& high) {
#if __CUDA_ARCH__ >= 900
    unsigned own, rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(own));
    asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(address));
    if (rank == own) return 0;
    high = tilereel_gpu::kInCluster + rank;
    return 1u << rank;
#else
    (void)address, (void)high;
    return 0;
#endif
}

#if __CUDA_ARCH__ >= 900
// Whether a generic address lies in the shared memory of a block of the cluster. `is_own`: of this
// block; then `low` is its address there. Otherwise `high` and `low` are those of the record.
// Offsets are distances, because PTX does not say how a block's window is laid out (PTX ISA,
// "mapa").
TILEREEL_GPU_INLINE bool tilereel_gpu_in_cluster(unsigned long long address, unsigned& high,
                                                 unsigned& low, bool& is_own) {
    unsigned is_inside, rank, own;
    asm("{\n.reg .pred p;\nisspacep.shared::cluster p, %1;\nselp.u32 %0, 1, 0, "
        "p;\n}"
        : "=r"(is_inside)
        : "l"(address));
    if (is_inside == 0) return false;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(own));
    const unsigned begin = tilereel_gpu_trace.shared_begin;
    unsigned long long here;
    unsigned there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(here) : "l"(address), "r"(own));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(begin), "r"(own));
    unsigned long long first;
    asm("cvta.shared::cluster.u64 %0, %1;"
        : "=l"(first)
        : "l"(static_cast<unsigned long long>(there)));
    low = static_cast<unsigned>(here - first);
    is_own = rank == own;
    if (is_own) low += begin;
    high = tilereel_gpu::kInCluster + rank;
    return true;
}
#endif

// Splits an address: its lower half is the lane's word, its upper half the record's. An address in
// shared memory becomes an offset from the block's own memory, with kInSharedMemory as upper half.
// Since sm_80 CUDA reserves a region before that memory (cudaDevAttrReservedSharedMemoryPerBlock).
// Returns false for a thread's local memory. An address in the shared memory of another block of
// the cluster gets the offset from that block's memory, with kInCluster and its rank.
TILEREEL_GPU_INLINE bool tilereel_gpu_address(unsigned long long address, unsigned site,
                                              unsigned& high, unsigned& low) {
    const unsigned space = site & ((1u << tilereel_gpu::kSpaceBits) - 1);
    bool shared = space == tilereel_gpu::kSharedSpace;
    low = static_cast<unsigned>(address);
    if (space == tilereel_gpu::kGenericSpace) {
        const void* const pointer = reinterpret_cast<const void*>(address);
        if (__isLocal(pointer)) return false;
        shared = __isShared(pointer);
        if (shared) low = static_cast<unsigned>(__cvta_generic_to_shared(pointer));
#if __CUDA_ARCH__ >= 900
        if (!shared && tilereel_gpu_in_cluster(address, high, low, shared) && !shared) return true;
#endif
    }
    if (!shared) {
        high = static_cast<unsigned>(address >> 32);
        return true;
    }
    high = tilereel_gpu::kInSharedMemory;
    low = tilereel_gpu_offset(low);
    return true;
}

TILEREEL_GPU_HOOK void tilereel_gpu_load(unsigned long long address, unsigned site,
                                         unsigned caller) {
    unsigned high, low;
    if (!tilereel_gpu_address(address, site, high, low)) return;
    tilereel_gpu_append(site, caller, high, low, 0, nullptr);
}

TILEREEL_GPU_HOOK void tilereel_gpu_store(unsigned long long address, unsigned site,
                                          unsigned caller, unsigned words, unsigned w0, unsigned w1,
                                          unsigned w2, unsigned w3) {
    unsigned high, low;
    if (!tilereel_gpu_address(address, site, high, low)) return;
    const unsigned values[4] = {w0, w1, w2, w3};
    tilereel_gpu_append(site, caller, high, low, words, values);
}

// Records the rows of ldmatrix: 8 lanes give the addresses of a matrix.
TILEREEL_GPU_HOOK void tilereel_gpu_matrix_load(unsigned long long address, unsigned site,
                                                unsigned caller, unsigned matrices) {
    unsigned high, low;
    if (tilereel_gpu_lane() >= 8 * matrices || !tilereel_gpu_address(address, site, high, low))
        return;
    tilereel_gpu_append(site, caller, high, low, 0, nullptr);
}

// Records the rows of stmatrix. Four lanes hold the elements of a row, one word each (PTX ISA,
// "stmatrix"). All lanes of the warp are here together.
TILEREEL_GPU_HOOK void tilereel_gpu_matrix_store(unsigned long long address, unsigned site,
                                                 unsigned caller, unsigned matrices, unsigned r0,
                                                 unsigned r1, unsigned r2, unsigned r3) {
    const unsigned registers[4] = {r0, r1, r2, r3}, lane = tilereel_gpu_lane();
    unsigned row[4] = {};
#pragma unroll
    for (unsigned matrix = 0; matrix < 4; ++matrix)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned word =
                __shfl_sync(0xffffffff, registers[matrix], static_cast<int>(4 * (lane % 8) + i));
            if (lane / 8 == matrix) row[i] = word;
        }
    unsigned high, low;
    if (lane >= 8 * matrices || !tilereel_gpu_address(address, site, high, low)) return;
    tilereel_gpu_append(site, caller, high, low, 4, row);
}

// Records an access to a part of a fragment (ptx_fragments.cpp), a load if it has no words.
// `across`, `along`: the place in the matrix; rows or columns lie `stride` elements apart.
TILEREEL_GPU_HOOK void tilereel_gpu_fragment(unsigned long long address, unsigned site,
                                             unsigned caller, unsigned stride, unsigned across,
                                             unsigned along, unsigned bits, unsigned words,
                                             unsigned w0, unsigned w1, unsigned w2, unsigned w3) {
    const unsigned group = tilereel_gpu_lane() / 4, in_group = tilereel_gpu_lane() % 4;
    const auto place = [&](unsigned packed) {
        return (packed & 255) * group + (packed >> 8 & 255) * in_group + (packed >> 16);
    };
    const unsigned long long element =
        static_cast<unsigned long long>(place(across)) * stride + place(along);
    unsigned high, low;
    if (!tilereel_gpu_address(address + element * bits / 8, site, high, low)) return;
    const unsigned values[4] = {w0, w1, w2, w3};
    tilereel_gpu_append(site, caller, high, low, words, values);
}

// A matrix descriptor with a start address that counts from the block's own shared memory.
TILEREEL_GPU_INLINE unsigned long long tilereel_gpu_descriptor(unsigned long long descriptor) {
    const unsigned long long units = 0x3fff;  // of 16 bytes
    const unsigned long long start = (descriptor - (tilereel_gpu_trace.shared_begin >> 4)) & units;
    return (descriptor & ~units) | start;
}
// Records a warp's part of wgmma.mma_async. `a`: 0 if A is in registers.
TILEREEL_GPU_HOOK void tilereel_gpu_descriptors(unsigned site, unsigned caller,
                                                unsigned long long a, unsigned long long b) {
    const unsigned long long of_a = a == 0 ? 0 : tilereel_gpu_descriptor(a),
                             of_b = tilereel_gpu_descriptor(b);
    const unsigned values[3] = {static_cast<unsigned>(of_a >> 32), static_cast<unsigned>(of_b),
                                static_cast<unsigned>(of_b >> 32)};
    tilereel_gpu_append<3>(site, caller, 0, static_cast<unsigned>(of_a), 3, values, false);
}

// Record a product: a lane's registers of A, B and D, the first one in the record's own row.
TILEREEL_GPU_HOOK void tilereel_gpu_product(unsigned site, unsigned caller, unsigned words,
                                            unsigned w0, unsigned w1, unsigned w2, unsigned w3,
                                            unsigned w4, unsigned w5, unsigned w6, unsigned w7,
                                            unsigned w8, unsigned w9, unsigned w10, unsigned w11,
                                            unsigned w12, unsigned w13, unsigned w14,
                                            unsigned w15) {
    const unsigned values[15] = {w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15};
    tilereel_gpu_append<15>(site, caller, 0, w0, words - 1, values, false);
}
TILEREEL_GPU_HOOK void tilereel_gpu_wide_product(
    unsigned site, unsigned caller, unsigned words, unsigned w0, unsigned w1, unsigned w2,
    unsigned w3, unsigned w4, unsigned w5, unsigned w6, unsigned w7, unsigned w8, unsigned w9,
    unsigned w10, unsigned w11, unsigned w12, unsigned w13, unsigned w14, unsigned w15,
    unsigned w16, unsigned w17, unsigned w18, unsigned w19, unsigned w20, unsigned w21,
    unsigned w22, unsigned w23, unsigned w24, unsigned w25, unsigned w26, unsigned w27,
    unsigned w28, unsigned w29, unsigned w30, unsigned w31) {
    const unsigned values[31] = {w1,  w2,  w3,  w4,  w5,  w6,  w7,  w8,  w9,  w10, w11,
                                 w12, w13, w14, w15, w16, w17, w18, w19, w20, w21, w22,
                                 w23, w24, w25, w26, w27, w28, w29, w30, w31};
    tilereel_gpu_append<31>(site, caller, 0, w0, words - 1, values, false);
}

TILEREEL_GPU_HOOK void tilereel_gpu_event(unsigned site, unsigned caller) {
    tilereel_gpu_append(site, caller, 0, 0, 0, nullptr, false);
}

// Records a sum of products after the addition. The record's own row is the first word of the sum.
TILEREEL_GPU_HOOK void tilereel_gpu_sum(unsigned site, unsigned caller, unsigned sum,
                                        unsigned words, unsigned w0, unsigned w1) {
    const unsigned values[4] = {w1};
    tilereel_gpu_append(site, caller, sum, w0, words - 1, values, false);
}

// Appends two records: a load from global memory and a store to shared memory.
TILEREEL_GPU_HOOK void tilereel_gpu_copy(unsigned long long to, unsigned long long from,
                                         unsigned site, unsigned caller, unsigned bytes,
                                         unsigned read_bytes) {
    unsigned high, low;
    unsigned values[4] = {};
    for (unsigned i = 0; i < 4 && 4 * i < read_bytes; ++i)
        values[i] = reinterpret_cast<const volatile unsigned*>(from)[i];
    const unsigned load = site << tilereel_gpu::kSpaceBits | tilereel_gpu::kGlobalSpace;
    const unsigned store = (site + 1) << tilereel_gpu::kSpaceBits | tilereel_gpu::kSharedSpace;
    if (read_bytes != 0 && tilereel_gpu_address(from, load, high, low))
        tilereel_gpu_append(load, caller, high, low, 0, nullptr);
    if (tilereel_gpu_address(to, store, high, low))
        tilereel_gpu_append(store, caller, high, low, bytes / 4, values);
}

// Records an operation on a barrier in shared memory, with the rows of PhaseRow. The barrier may be
// another block's.
TILEREEL_GPU_HOOK void tilereel_gpu_phase(unsigned long long address, unsigned site,
                                          unsigned caller, unsigned count, unsigned bytes) {
    unsigned high, low;
    if (!tilereel_gpu_address(address, site, high, low)) return;
    const unsigned values[4] = {count, bytes};
    const unsigned block = tilereel_gpu::is_in_cluster(high) ? high : 0;
    tilereel_gpu_append(site, caller, block, low, tilereel_gpu::kPhaseRows, values, false);
}

// The same for a barrier of some of the threads (bar.sync a, b), which has no address.
TILEREEL_GPU_HOOK void tilereel_gpu_named(unsigned site, unsigned caller, unsigned number,
                                          unsigned threads, unsigned count) {
    const unsigned values[4] = {count, 0};
    tilereel_gpu_append(site, caller, 0,
                        tilereel_gpu::kNamedBarrier | number << tilereel_gpu::kNamedShift | threads,
                        tilereel_gpu::kPhaseRows, values, false);
}

// Records a bulk copy to shared memory, with the rows of BoxRow. For a tensor, `from` is the
// address of its map.
TILEREEL_GPU_HOOK void tilereel_gpu_box(unsigned long long barrier, unsigned site, unsigned caller,
                                        unsigned long long to, unsigned long long from,
                                        unsigned is_tensor, unsigned c0, unsigned c1, unsigned c2,
                                        unsigned c3, unsigned c4, unsigned ranks) {
    unsigned high, low, low_to;
    if (!tilereel_gpu_address(to, site, high, low_to) ||
        !tilereel_gpu_address(barrier, site, high, low))
        return;
    unsigned block = 0;  // of the barrier
    if (ranks == 0) ranks = tilereel_gpu_other_block(static_cast<unsigned>(to), block);
    const unsigned long long what =
        is_tensor != 0 ? tilereel_gpu::map_hash(reinterpret_cast<const unsigned*>(from)) : from;
    const unsigned values[tilereel_gpu::kBoxRows] = {
        low_to, static_cast<unsigned>(what), static_cast<unsigned>(what >> 32), c0, c1, c2, c3, c4,
        ranks};
    tilereel_gpu_append<tilereel_gpu::kBoxRows>(site, caller, block, low, tilereel_gpu::kBoxRows,
                                                values, false);
}

// The same for a bulk copy from shared memory to global memory. For a tensor, `to` is the address
// of its map.
TILEREEL_GPU_HOOK void tilereel_gpu_box_store(unsigned site, unsigned caller,
                                              unsigned long long from, unsigned long long to,
                                              unsigned is_tensor, unsigned c0, unsigned c1,
                                              unsigned c2, unsigned c3, unsigned c4) {
    unsigned high, low;
    if (!tilereel_gpu_address(from, site, high, low)) return;
    const unsigned long long what =
        is_tensor != 0 ? tilereel_gpu::map_hash(reinterpret_cast<const unsigned*>(to)) : to;
    const unsigned values[tilereel_gpu::kBoxRows] = {
        low, static_cast<unsigned>(what), static_cast<unsigned>(what >> 32), c0, c1, c2, c3, c4, 0};
    tilereel_gpu_append<tilereel_gpu::kBoxRows>(site, caller, 0, 0, tilereel_gpu::kBoxRows, values,
                                                false);
}

// The value that an atomic leaves in memory. ptx_atomics.cpp numbers the types, AtomicKind the
// kinds.
template <class T>
TILEREEL_GPU_INLINE T tilereel_gpu_left(unsigned kind, T old, T operand, T swapped) {
    switch (kind) {
        case 0:
            return old + operand;
        case 2:
            return operand < old ? operand : old;
        case 3:
            return operand > old ? operand : old;
        case 4:
            return old >= operand ? T(0) : T(old + 1);
        case 5:
            return old == T(0) || old > operand ? operand : T(old - 1);
        case 10:
            return old == operand ? swapped : old;
        default:
            return operand;  // an exchange
    }
}
TILEREEL_GPU_INLINE unsigned long long tilereel_gpu_left_bits(unsigned kind, unsigned type,
                                                              unsigned long long old,
                                                              unsigned long long operand,
                                                              unsigned long long swapped) {
    if (kind == 6) return old & operand;
    if (kind == 7) return old | operand;
    if (kind == 8) return old ^ operand;
    const auto low_old = static_cast<unsigned>(old), low = static_cast<unsigned>(operand);
    unsigned result = 0;
    switch (type) {
        case 1:
            return static_cast<unsigned>(tilereel_gpu_left(
                kind, static_cast<int>(low_old), static_cast<int>(low), static_cast<int>(swapped)));
        case 2:
        case 11:
            return tilereel_gpu_left(kind, old, operand, swapped);
        case 3:
            return static_cast<unsigned long long>(tilereel_gpu_left(
                kind, static_cast<long long>(old), static_cast<long long>(operand),
                static_cast<long long>(swapped)));
        case 4:
            return __float_as_uint(
                tilereel_gpu_left(kind, __uint_as_float(low_old), __uint_as_float(low), 0.0f));
        case 5:
            return static_cast<unsigned long long>(__double_as_longlong(
                tilereel_gpu_left(kind, __longlong_as_double(static_cast<long long>(old)),
                                  __longlong_as_double(static_cast<long long>(operand)), 0.0)));
        case 6:
        case 7:
            asm("add.rn.f16x2 %0, %1, %2;" : "=r"(result) : "r"(low_old), "r"(low));
            return type == 6 ? result & 0xffff : result;
#if __CUDA_ARCH__ >= 900
        case 8:
        case 9:
            asm("add.rn.bf16x2 %0, %1, %2;" : "=r"(result) : "r"(low_old), "r"(low));
            return type == 8 ? result & 0xffff : result;
#endif
        default:
            return tilereel_gpu_left(kind, low_old, low, static_cast<unsigned>(swapped));
    }
}

TILEREEL_GPU_HOOK void tilereel_gpu_atomic(unsigned long long address, unsigned site,
                                           unsigned caller, unsigned kind_and_type,
                                           unsigned long long old, unsigned long long operand,
                                           unsigned long long swapped) {
    unsigned high, low;
    if (!tilereel_gpu_address(address, site, high, low)) return;
    const unsigned type = kind_and_type & 255;
    const unsigned long long left =
        tilereel_gpu_left_bits(kind_and_type >> 8, type, old, operand, swapped);
    const unsigned values[4] = {static_cast<unsigned>(left), static_cast<unsigned>(left >> 32)};
    const bool wide = type == 2 || type == 3 || type == 5 || type == 11;
    tilereel_gpu_append(site, caller, high, low, wide ? 2 : 1, values);
}

// Reports the address of a shared or constant array. All threads report the same one.
TILEREEL_GPU_HOOK void tilereel_gpu_place(unsigned number, unsigned long long address,
                                          unsigned is_shared) {
    if (tilereel_gpu_trace.slot_of_block == nullptr || tilereel_gpu_trace.places[number] != 0)
        return;
    unsigned high = 0, low = 0;
    tilereel_gpu_address(address,
                         is_shared != 0 ? tilereel_gpu::kSharedSpace : tilereel_gpu::kGlobalSpace,
                         high, low);
    tilereel_gpu_trace.places[number] =
        (static_cast<unsigned long long>(is_shared != 0 ? 0 : high) << 32 | low) + 1;
}

// Whether to print: in one pass of those that print the same.
TILEREEL_GPU_HOOK unsigned tilereel_gpu_prints() {
    return tilereel_gpu_trace.is_silent == 0 ? 1 : 0;
}

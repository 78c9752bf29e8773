#pragma once
// Cooperative groups. CUDA C++ Programming Guide, "Cooperative Groups".
#include "cuda_runtime.h"

namespace cooperative_groups {

namespace details {
inline unsigned rank_in_block() { return tilereel::runtime::thread_number(); }
inline unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
inline unsigned lane() { return tilereel::runtime::lane_number(); }
}  // namespace details

class thread_block;

// Any group: the block's threads, or lanes of a warp.
class thread_group {
  public:
    thread_group(bool block, unsigned mask, unsigned first, unsigned size)
        : block_(block), mask_(mask), first_(first), size_(size) {}
    TILEREEL_CALL void sync() const {
        if (block_)
            tilereel::runtime::barrier_count(0);
        else
            tilereel::runtime::warp_exchange(mask_, 0);
    }
    unsigned thread_rank() const {
        return block_ ? details::rank_in_block()
                      : unsigned(__builtin_popcount(mask_ & ((1u << details::lane()) - 1)));
    }
    unsigned long long size() const { return size_; }
    unsigned long long num_threads() const { return size_; }
    bool is_valid() const { return true; }
    unsigned mask() const { return mask_; }
    bool is_block() const { return block_; }

  private:
    bool block_;
    unsigned mask_, first_, size_;
};

class thread_block {
  public:
    TILEREEL_CALL void sync() const { tilereel::runtime::barrier_count(0); }
    TILEREEL_CALL static void barrier_sync() { tilereel::runtime::barrier_count(0); }
    unsigned thread_rank() const { return details::rank_in_block(); }
    unsigned size() const { return details::threads_of_block(); }
    unsigned num_threads() const { return details::threads_of_block(); }
    dim3 group_index() const { return dim3(blockIdx); }
    dim3 thread_index() const { return dim3(threadIdx); }
    dim3 group_dim() const { return blockDim; }
    dim3 dim_threads() const { return blockDim; }
    bool is_valid() const { return true; }
    operator thread_group() const { return {true, 0, 0, details::threads_of_block()}; }
};
inline thread_block this_thread_block() { return {}; }

// A group of lanes of one warp, with its collective functions.
template <class Group>
class lanes {
  public:
    TILEREEL_CALL void sync() const { tilereel::runtime::warp_exchange(self().mask(), 0); }
    template <class T>
    TILEREEL_CALL T shfl(T value, unsigned rank) const {
        return take(value, rank);
    }
    template <class T>
    TILEREEL_CALL T shfl_down(T value, unsigned delta) const {
        const unsigned rank = self().thread_rank() + delta;
        return take(value, rank < self().size() ? rank : self().thread_rank());
    }
    template <class T>
    TILEREEL_CALL T shfl_up(T value, unsigned delta) const {
        const unsigned own = self().thread_rank();
        return take(value, own >= delta ? own - delta : own);
    }
    template <class T>
    TILEREEL_CALL T shfl_xor(T value, unsigned mask) const {
        const unsigned rank = self().thread_rank() ^ mask;
        return take(value, rank < self().size() ? rank : self().thread_rank());
    }
    TILEREEL_CALL int any(int predicate) const {
        return tilereel::runtime::ballot(self().mask(), predicate) != 0;
    }
    TILEREEL_CALL int all(int predicate) const {
        return tilereel::runtime::ballot(self().mask(), !predicate) == 0;
    }
    TILEREEL_CALL unsigned ballot(int predicate) const {
        return compact(tilereel::runtime::ballot(self().mask(), predicate));
    }
    template <class T>
    TILEREEL_CALL unsigned match_any(T value) const {
        return compact(tilereel::runtime::match_any(self().mask(), value));
    }
    template <class T>
    TILEREEL_CALL unsigned match_all(T value, int& predicate) const {
        return compact(tilereel::runtime::match_all(self().mask(), value, &predicate));
    }

  private:
    const Group& self() const { return static_cast<const Group&>(*this); }
    unsigned lane_of(unsigned rank) const {
        unsigned left = self().mask();
        for (; rank > 0; --rank) left &= left - 1;
        return unsigned(__builtin_ctz(left));
    }
    // A value of any size, 8 bytes at a time.
    template <class T>
    T take(const T& value, unsigned rank) const {
        const int source = int(lane_of(rank % unsigned(self().size())));
        T result;
        for (std::size_t at = 0; at < sizeof(T); at += 8) {
            unsigned long long part = 0;
            const std::size_t bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
            std::memcpy(&part, reinterpret_cast<const char*>(&value) + at, bytes);
            part = tilereel::runtime::value_of(self().mask(), part, source);
            std::memcpy(reinterpret_cast<char*>(&result) + at, &part, bytes);
        }
        return result;
    }
    // Converts a mask of lanes to a mask of ranks in the group.
    unsigned compact(unsigned bits) const {
        unsigned result = 0, rank = 0;
        for (unsigned left = self().mask(); left != 0; left &= left - 1, ++rank)
            result |= (bits >> __builtin_ctz(left) & 1u) << rank;
        return result;
    }
};

// The shared memory that tiles of several warps need on a GPU.
template <unsigned Most = 1024>
struct block_tile_memory {
    unsigned char unused[1];
};
template <unsigned Most>
thread_block this_thread_block(block_tile_memory<Most>&) {
    return {};
}

template <unsigned Size, class Parent = void>
class thread_block_tile : public lanes<thread_block_tile<Size, Parent>> {
  public:
    thread_block_tile() = default;
    template <class Other>
    thread_block_tile(const thread_block_tile<Size, Other>&) {}
    unsigned mask() const {
        if (Size > 32)
            tilereel::runtime::refuse(
                "uses a tile of more than 32 threads, which Tilereel does not run: use the block");
        const unsigned base = details::lane() & ~(width() - 1);
        return (width() == 32 ? 0xffffffffu : ((1u << width()) - 1) << base) & alive();
    }
    unsigned thread_rank() const { return details::rank_in_block() % Size; }
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    unsigned meta_group_rank() const { return details::rank_in_block() / Size; }
    unsigned meta_group_size() const { return (details::threads_of_block() + Size - 1) / Size; }
    operator thread_group() const { return {false, mask(), 0, Size}; }

  private:
    static constexpr unsigned width() { return Size < 32 ? Size : 32; }
    static unsigned alive() {  // the last warp may have fewer lanes
        const unsigned left = details::threads_of_block() - details::rank_in_block() / 32 * 32;
        return left >= 32 ? 0xffffffffu : (1u << left) - 1;
    }
};
template <unsigned Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
    return {};
}
template <unsigned Size, unsigned Outer, class Parent>
thread_block_tile<Size, thread_block_tile<Outer, Parent>> tiled_partition(
    const thread_block_tile<Outer, Parent>&) {
    return {};
}
inline thread_group tiled_partition(const thread_block&, unsigned size) {
    const unsigned base = details::lane() & ~(size - 1);
    return {false, size >= 32 ? 0xffffffffu : ((1u << size) - 1) << base, 0, size};
}
inline thread_group tiled_partition(const thread_group& group, unsigned size) {
    if (group.is_block()) return tiled_partition(thread_block(), size);
    const unsigned base = details::lane() & ~(size - 1);
    return {false, (size >= 32 ? 0xffffffffu : ((1u << size) - 1) << base) & group.mask(), 0, size};
}

class coalesced_group : public lanes<coalesced_group> {
  public:
    explicit coalesced_group(unsigned mask) : mask_(mask) {}
    unsigned mask() const { return mask_; }
    unsigned thread_rank() const {
        return unsigned(__builtin_popcount(mask_ & ((1u << details::lane()) - 1)));
    }
    unsigned size() const { return unsigned(__builtin_popcount(mask_)); }
    unsigned num_threads() const { return size(); }
    unsigned meta_group_rank() const { return 0; }
    unsigned meta_group_size() const { return 1; }
    operator thread_group() const { return {false, mask_, 0, size()}; }

  private:
    unsigned mask_;
};
inline TILEREEL_CALL coalesced_group coalesced_threads() {
    return coalesced_group(tilereel::runtime::warp_exchange(0, 0).mask);
}
template <class Group>
TILEREEL_CALL coalesced_group binary_partition(const Group& group, bool predicate) {
    const unsigned votes = tilereel::runtime::ballot(group.mask(), predicate);
    return coalesced_group(predicate ? votes : group.mask() & ~votes);
}
template <class Group, class T>
TILEREEL_CALL coalesced_group labeled_partition(const Group& group, T label) {
    return coalesced_group(tilereel::runtime::match_any(group.mask(), label));
}

class grid_group {
  public:
    TILEREEL_CALL void sync() const { tilereel::runtime::grid_barrier(); }
    unsigned long long thread_rank() const {
        return block_rank() * details::threads_of_block() + details::rank_in_block();
    }
    unsigned long long size() const { return num_blocks() * details::threads_of_block(); }
    unsigned long long num_threads() const { return size(); }
    unsigned long long num_blocks() const {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    unsigned long long block_rank() const {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    dim3 group_dim() const { return gridDim; }
    dim3 dim_blocks() const { return gridDim; }
    dim3 block_index() const { return dim3(blockIdx); }
    bool is_valid() const { return true; }
};
inline grid_group this_grid() { return {}; }

// The blocks of a cluster. CUDA C++ Programming Guide, "Cluster Group".
class cluster_group {
  public:
    class arrival_token {};
    TILEREEL_CALL static void sync() {
        tilereel::runtime::cluster_arrive();
        tilereel::runtime::cluster_wait();
    }
    TILEREEL_CALL static arrival_token barrier_arrive() {
        tilereel::runtime::cluster_arrive();
        return {};
    }
    TILEREEL_CALL static void barrier_wait() { tilereel::runtime::cluster_wait(); }
    TILEREEL_CALL static void barrier_wait(arrival_token&&) { tilereel::runtime::cluster_wait(); }
    TILEREEL_CALL static unsigned query_shared_rank(const void* pointer) {
        return tilereel::runtime::rank_of_shared(pointer);
    }
    template <class T>
    TILEREEL_CALL static T* map_shared_rank(T* pointer, int rank) {
        return static_cast<T*>(tilereel::runtime::mapped_shared(pointer, unsigned(rank)));
    }
    static unsigned block_rank() { return tilereel::runtime::cluster_place().rank; }
    static unsigned num_blocks() { return tilereel::runtime::cluster_place().blocks; }
    static dim3 block_index() { return dim_of(tilereel::runtime::cluster_place().index); }
    static dim3 dim_blocks() { return dim_of(tilereel::runtime::cluster_place().extents); }
    static dim3 thread_index() {
        const dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
    static dim3 dim_threads() {
        const dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    static unsigned thread_rank() {
        return block_rank() * details::threads_of_block() + details::rank_in_block();
    }
    static unsigned num_threads() { return num_blocks() * details::threads_of_block(); }
    static unsigned size() { return num_threads(); }
    static bool is_valid() { return true; }

  private:
    static dim3 dim_of(const unsigned (&extents)[3]) {
        return dim3(extents[0], extents[1], extents[2]);
    }
};
inline cluster_group this_cluster() { return {}; }

template <class Group>
TILEREEL_CALL void sync(const Group& group) {
    group.sync();
}
inline TILEREEL_CALL void sync(const thread_block&) { tilereel::runtime::barrier_count(0); }

template <class T>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};
// Every lane gets the result.
template <class Group, class T, class F>
TILEREEL_CALL T reduce(const Group& group, T value, F combine) {
    return tilereel::runtime::reduce(group.mask(), value, combine);
}
namespace details {
template <class Group, class T, class F>
T scan(const Group& group, T value, F combine, bool inclusive) {
    const tilereel::runtime::LaneValues lanes =
        tilereel::runtime::warp_exchange(group.mask(), tilereel::runtime::to_bits(value));
    T result{};
    bool first = true;
    for (unsigned i = 0; i < lane() + (inclusive ? 1u : 0u); ++i) {
        if (!(lanes.mask >> i & 1u)) continue;
        const T other = tilereel::runtime::from_bits<T>(lanes.values[i]);
        result = first ? other : combine(result, other);
        first = false;
    }
    return result;
}
}  // namespace details
template <class Group, class T, class F = plus<T>>
TILEREEL_CALL T inclusive_scan(const Group& group, T value, F combine = {}) {
    return details::scan(group, value, combine, true);
}
template <class Group, class T, class F = plus<T>>
TILEREEL_CALL T exclusive_scan(const Group& group, T value, F combine = {}) {
    return details::scan(group, value, combine, false);
}

}  // namespace cooperative_groups

#pragma once
// The runtime's functions that device code calls.
namespace tilereel::runtime {

// The lanes that took part in a warp collective, and the value that each of them passed.
struct LaneValues {
    unsigned mask;
    const unsigned long long* values;  // [32]; only those of lanes in the mask are valid
};
// Waits for the lanes of `mask`, or with 0 for the lanes at this call, and exchanges their values.
LaneValues warp_exchange(unsigned mask, unsigned long long value) noexcept;
// The same for a shuffle: the lane reads the value of lane `source`.
LaneValues warp_shuffle(unsigned mask, unsigned long long value, unsigned source) noexcept;
unsigned lane_number() noexcept;
unsigned thread_number() noexcept;          // in the block
int barrier_count(int predicate) noexcept;  // a block barrier; counts predicate != 0
void grid_barrier() noexcept;               // of all blocks of a cooperative launch
// Barriers of the cluster: barrier.cluster.arrive and barrier.cluster.wait.
void cluster_arrive() noexcept;
void cluster_wait() noexcept;
// Where the running block lies: in its cluster, and the cluster in the grid; x, y, z. Without
// clusters each block is one.
struct ClusterPlace {
    unsigned rank, blocks;
    unsigned index[3], extents[3];        // of the block in the cluster, of the cluster in blocks
    unsigned cluster[3], of_clusters[3];  // the cluster's index in the grid, the grid's extents
};
ClusterPlace cluster_place() noexcept;
// The place of a pointer to shared memory in the shared memory of the block with this rank (mapa),
// and the rank of the block whose shared memory the pointer points to (getctarank).
void* mapped_shared(const void* pointer, unsigned rank) noexcept;
unsigned rank_of_shared(const void* pointer) noexcept;
long long clock_ticks() noexcept;
[[noreturn]] void trap() noexcept;
// Whether a thread of a kernel calls, and not the host.
bool in_kernel() noexcept;
// In a __host__ __device__ function: a kernel takes the branch of the host at a condition about
// __CUDA_ARCH__ on this line, which is a warning.
void note_host_branch(unsigned line) noexcept;
// Asynchronous copies of the running thread, in groups (cp.async). `zeros`: the number of bytes at
// the end that are not read but set to 0.
void start_copy(void* to, const void* from, unsigned long bytes, unsigned long zeros) noexcept;
void commit_copies() noexcept;
void wait_copies(unsigned newest) noexcept;  // until at most `newest` groups are under way
// fence.proxy.async: only recorded, because every write is visible at once.
void fence_async_proxy() noexcept;
// The address of shared memory as PTX has it: the offset in the block's shared memory. And the
// pointer for such an address. An address in no shared array becomes a pointer behind the array
// that ends closest before it, so that an access there is found to be out of bounds.
unsigned long shared_address(const void* pointer) noexcept;
void* shared_pointer(unsigned long address) noexcept;
// Whether a pointer points to shared memory of the running block, or to its thread's local memory.
bool is_shared_memory(const void* pointer) noexcept;
bool is_local_memory(const void* pointer) noexcept;
// One lane's part of a product of nvcuda::wmma: D = A B + C. Types are PTX's names: "f16", "s32".
struct MatrixCall {
    int m, n, k;
    const char *a_type, *b_type, *c_type, *d_type;
    const char* bits;       // of b1: "xor" or "and"; else ""
    bool saturates;         // .satfinite
    const void *a, *b, *c;  // the lane's fragments: their registers side by side
    void* d;                // may be c
    bool is_done;           // false before the call; then whether all 32 lanes took part
};
// Waits for all lanes of the warp and multiplies.
void matrix_product(MatrixCall& call) noexcept;
// The places in the matrix of all elements of a fragment, [lane][element]: they stay where they
// are. `matrix`: 'a', 'b' or 'c'. `transposed`: of the elements that a lane holds in the transposed
// 8 x 8 matrices.
struct MatrixPlace {
    int row, column;
};
const MatrixPlace* fragment_places(int m, int n, int k, const char* type, char matrix,
                                   bool transposed) noexcept;
// Ends the launch, because the thread uses an unsupported feature. `what` completes the sentence
// "Thread ...".
[[noreturn]] void refuse(const char* what) noexcept;

}  // namespace tilereel::runtime

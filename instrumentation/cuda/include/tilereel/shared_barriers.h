#pragma once
// The runtime's functions for mbarriers in shared memory (PTX ISA, mbarrier) and for bulk copies,
// which device code calls. The address of its 64-bit word identifies an mbarrier.
namespace tilereel::runtime {

void init_barrier(const void* barrier, unsigned arrivals) noexcept;
// The running thread arrives `arrivals` times and adds `bytes` to the tx-count of the phase. With 0
// arrivals it only adds bytes. Returns the number of the current phase, from 0.
unsigned long long arrive_at(const void* barrier, unsigned arrivals, unsigned bytes) noexcept;
// Waits until the phase is complete, and returns true. `polls`: returns false if no other thread
// can complete the phase, because this thread may still have to contribute to it.
bool wait_for_phase(const void* barrier, unsigned long long phase, bool polls) noexcept;
// The same for the phase of this parity: the current phase, or the one that completed last.
bool wait_for_parity(const void* barrier, unsigned parity, bool polls) noexcept;
// Start a bulk copy to shared memory: of a box of a tensor (`map`: a CUtensorMap), or of contiguous
// bytes. `blocks`: a bit for each block of the cluster that gets it, at the same place and for the
// barrier at the same place (.multicast::cluster); 0: only the block to whose memory `to` points.
void start_tensor_copy(void* to, const void* map, const int* coordinates, unsigned rank,
                       const void* barrier, unsigned blocks = 0) noexcept;
void start_bulk_copy(void* to, const void* from, unsigned bytes, const void* barrier,
                     unsigned blocks = 0) noexcept;
// The mask of .multicast::cluster. Ends the launch if it is 0.
unsigned mask_of_blocks(unsigned mask) noexcept;
// Copy from shared to global memory: a box of a tensor, or contiguous bytes. They are complete at
// once.
void store_tensor_box(const void* map, const int* coordinates, unsigned rank,
                      const void* from) noexcept;
void store_in_bulk(void* to, const void* from, unsigned bytes) noexcept;
// The same to shared memory of a block of the cluster, for a barrier there.
void copy_shared_in_bulk(void* to, const void* from, unsigned bytes, const void* barrier) noexcept;
// Bytes of the phase have arrived (mbarrier.complete_tx). Bulk copies say so themselves.
void complete_bytes(const void* barrier, unsigned bytes) noexcept;
// Reductions in bulk: as these copies, but each element is changed by an operation. `barrier`: null
// if `to` is in global memory.
struct BulkElement {  // of a tensor map
    unsigned bytes;
    bool is_floating, is_bfloat16, is_signed;
};
struct BulkReduction {
    // Changes the elements in `bytes` bytes at `to`.
    void (*reduce)(const BulkReduction& self, const BulkElement& element, void* to,
                   const void* from, unsigned bytes);
};
void reduce_tensor_box(const BulkReduction& reduction, const void* map, const int* coordinates,
                       unsigned rank, const void* from) noexcept;
void reduce_in_bulk(const BulkReduction& reduction, void* to, const void* from, unsigned bytes,
                    const void* barrier) noexcept;
// The running thread will not arrive in later phases (mbarrier.arrive_drop).
void drop_arrival(const void* barrier) noexcept;
// Called if kernels of this program may use mbarriers: their lanes and warps wait for each other at
// any point. `by_bytes`: some mbarriers count bytes, so cuda::barrier must be an mbarrier, too.
void note_shared_barriers(bool by_bytes) noexcept;
// Whether note_shared_barriers() was called with `by_bytes`.
bool barriers_count_bytes() noexcept;

// Calls note_shared_barriers(true) before main() in programs that contain a call of a function that
// names `noted`.
template <class T>
struct CountsBytes {
    static const bool noted;
};
template <class T>
const bool CountsBytes<T>::noted = (note_shared_barriers(true), true);

}  // namespace tilereel::runtime

#pragma once
// Barriers in shared memory (PTX ISA, mbarrier) and the bulk copies that they wait for, as device
// code asks the runtime for them. A barrier is known by the address of its 64-bit word.
namespace tilereel::plain {

void make_barrier(const void* barrier, unsigned arrivals) noexcept;
// The running thread arrives `arrivals` times, and announces bytes that copies of the phase bring.
// 0 arrivals: it only announces. The phase under way: 0, 1, ...
unsigned long long arrive_at(const void* barrier, unsigned arrivals, unsigned bytes) noexcept;
// Waits until the phase is over. `polls`: does not wait for what the thread itself may still have
// to do: false if no other thread can end the phase.
bool wait_for_phase(const void* barrier, unsigned long long phase, bool polls) noexcept;
// The same of the phase of this parity that is under way or was the last to end.
bool wait_for_parity(const void* barrier, unsigned parity, bool polls) noexcept;
// Starts a copy of a box of a tensor (`map`: a CUtensorMap), of contiguous bytes.
void start_box(void* to, const void* map, const int* coordinates, unsigned rank,
               const void* barrier) noexcept;
void start_bulk_copy(void* to, const void* from, unsigned bytes, const void* barrier) noexcept;
// The running thread will not arrive in later phases.
void drop_from(const void* barrier) noexcept;
// Kernels of this program may have such barriers: lanes and warps wait for each other at any point.
// `by_bytes`: cuda::barrier is one of them.
void note_shared_barriers(bool by_bytes) noexcept;
bool barriers_count_bytes() noexcept;

// Its static member is initialised in programs that call a function that names it.
template <class T>
struct CountsBytes {
    static const bool noted;
};
template <class T>
const bool CountsBytes<T>::noted = (note_shared_barriers(true), true);

}  // namespace tilereel::plain

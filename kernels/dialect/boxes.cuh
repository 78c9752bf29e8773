#pragma once
// bulk_copy.cuh for the traced build: the same names and the same instructions, and every box and
// every arrival is recorded. For that, Hooks have besides what
// dynamic_shared.cuh asks for
//     static constexpr bool kRecords
//     void of_phase(uint32_t line, DeviceOperation operation, uint32_t barrier, uint32_t phase)
//         what the thread does or says at a barrier in shared memory, recorded
#include "kernels/dialect/box_pieces.h"
#include "kernels/dialect/copy_engine.cuh"
#include "kernels/dialect/device_trace.h"
#include "kernels/dialect/dialect.h"

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

// What the copy engine is told, and the same for the recording: a matrix of `rows` x `columns`, the
// box that a copy takes of it, and how it lies in shared memory. `matrix` is as the kernel's caller
// knows it, while the engine may read a copy whose rows start at multiples of 16 bytes.
struct BoxMap {
    CUtensorMap engine;
    Global<const float> matrix;
    int rows, columns;
    int box_rows, box_columns;
    int swizzle_bytes;
};

// Of 16 bytes in every build, so that a launch gives all the same room.
struct BarrierInShared {
    std::uint64_t state;  // the hardware's
    // For the recording alone: that each phase waits for, and that have come.
    std::uint32_t arrivals, arrived;
};

class Arrival {
  public:
    TILEREEL_INLINE Arrival(BarrierInShared* barrier, std::uint32_t number)
        : barrier_(barrier), number_(number) {}
    TILEREEL_INLINE void init(int arrivals, std::uint32_t line = __builtin_LINE()) const {
        device::init_arrival(&barrier_->state, arrivals);
        if constexpr (Hooks::kRecords) {
            barrier_->arrivals = static_cast<std::uint32_t>(arrivals);
            barrier_->arrived = 0;
            Hooks::of_phase(line, device::DeviceOperation::kMakeBarrier, number_, 0);
        }
    }
    TILEREEL_INLINE void arrive(std::uint32_t line = __builtin_LINE()) const {
        record_arrival(line);
        device::arrive(&barrier_->state);
    }
    TILEREEL_INLINE void arrive_expecting(int bytes, std::uint32_t line = __builtin_LINE()) const {
        record_arrival(line);
        device::arrive_expecting(&barrier_->state, bytes);
    }
    // A recording asks nobody whether a phase has ended: whoever needs it waits, and is seen to.
    [[nodiscard]] TILEREEL_INLINE bool ended(int) const { return false; }
    TILEREEL_INLINE void wait(int parity, std::uint32_t line = __builtin_LINE()) const {
        device::wait_for_phase(&barrier_->state, parity);
        if constexpr (Hooks::kRecords) {
            // The hardware knows parities only: of the phases that all have arrived at it is the
            // last of this parity. There is none before the first.
            const std::uint32_t phases = arrived() / barrier_->arrivals;
            const auto wanted = static_cast<std::uint32_t>(parity);
            const std::uint32_t after = phases - ((phases ^ wanted ^ 1) & 1);
            if (phases > 0 && after > 0)
                Hooks::of_phase(line, device::DeviceOperation::kWaitPhase, number_, after - 1);
        }
    }
    [[nodiscard]] TILEREEL_INLINE std::uint64_t* state() const { return &barrier_->state; }
    [[nodiscard]] TILEREEL_INLINE std::uint32_t number() const { return number_; }
    // The phase of the latest arrival.
    [[nodiscard]] TILEREEL_INLINE std::uint32_t latest_phase() const {
        return (arrived() - 1) / barrier_->arrivals;
    }

  private:
    // Before the thread arrives: who waits for the phase then counts it, too.
    TILEREEL_INLINE void record_arrival(std::uint32_t line) const {
        if constexpr (Hooks::kRecords) {
            const std::uint32_t earlier = atomicAdd(&barrier_->arrived, 1u);
            Hooks::of_phase(line, device::DeviceOperation::kArrive, number_,
                            earlier / barrier_->arrivals);
        }
    }
    [[nodiscard]] TILEREEL_INLINE std::uint32_t arrived() const {
        return *static_cast<volatile std::uint32_t*>(&barrier_->arrived);
    }

    BarrierInShared* barrier_;
    std::uint32_t number_;
};

// So many barriers behind what the block's shared memory has been dealt out to.
class MBarrier {
  public:
    template <class T>
    TILEREEL_INLINE MBarrier(DynamicShared<T>& shared, int count)
        : first_(shared.template take<BarrierInShared>(static_cast<std::uint32_t>(count))),
          number_(shared.number_barriers(static_cast<std::uint32_t>(count))) {}
    TILEREEL_INLINE Arrival operator[](int i) const {
        return {first_ + i, number_ + static_cast<std::uint32_t>(i)};
    }

  private:
    BarrierInShared* first_;
    std::uint32_t number_;
};

TILEREEL_INLINE bool rows_start_at_16_bytes(const Global<float>&, int columns) {
    return columns % 4 == 0;
}

TILEREEL_INLINE void publish_arrivals() { device::publish_arrivals(); }
TILEREEL_INLINE void wait_for_launch_before() {}
TILEREEL_INLINE void keep_order() {}

// The calling thread asks for a box, which counts towards a phase of a barrier.
struct StartedBox {
    std::uint32_t line, barrier, phase, to_array, to_bytes;
    int row, column;
};

#ifdef TILEREEL_BUILD_TRACED
// Puts records of one thread at places taken before, as far as there is room.
class RecordsOfThread {
  public:
    TILEREEL_INLINE explicit RecordsOfThread(std::uint32_t count) : warp_(warp_number()) {
        const std::uint32_t slot = take_records(warp_, count);
        if (slot == 0) tell_multiprocessor(warp_);
        at_ = device_trace.segment_begin[warp_] + slot;
    }
    // word(i) for each i of the mask.
    template <class Word>
    TILEREEL_INLINE void add(std::uint32_t site, std::uint32_t mask, Word&& word) {
        const std::uint64_t at = at_++;
        if (device_trace.records == nullptr) return;
        if (!has_room(warp_, at)) return leave_record_out();
        for (std::uint32_t i = 0; i < 32; ++i)
            device_trace.lane_words[at * 32 + i] = (mask >> i & 1) != 0 ? word(i) : 0;
        write_record(at, site, mask);
    }

  private:
    std::uint32_t warp_;
    std::uint64_t at_;
};

// All at once, so that no other lane's records come between them.
static __device__ __noinline__ void record_box(const BoxMap& map, const StartedBox& box) {
    std::uint32_t records = 1;
    for_each_batch(map, box.to_bytes, box.row, box.column, [&](const PieceBatch& batch) {
        records += (batch.outside ? 1 : 2) + batch.width_bytes / 4;
    });
    RecordsOfThread out(records);
    const auto site = [&](std::uint32_t array, std::uint32_t width, DeviceOperation operation) {
        return device::pack_site(box.line, array, width, operation);
    };
    out.add(site(0, 0, DeviceOperation::kStartBox), 1u << this_lane(),
            [&](std::uint32_t) { return box.barrier << 24 | box.phase; });
    for_each_batch(map, box.to_bytes, box.row, box.column, [&](const PieceBatch& batch) {
        const std::uint32_t mask = 0xffffffff >> (32 - batch.count);
        const std::uint32_t width = batch.width_bytes;
        if (!batch.outside)
            out.add(site(map.matrix.array, width, DeviceOperation::kBoxLoad), mask,
                    [&](std::uint32_t i) { return batch.from_bytes[i]; });
        out.add(site(box.to_array, width, DeviceOperation::kBoxStore), mask,
                [&](std::uint32_t i) { return batch.to_bytes[i]; });
        for (std::uint32_t word = 0; word < width / 4; ++word)
            out.add(site(box.to_array, width, DeviceOperation::kBoxWord), mask,
                    [&](std::uint32_t i) {
                        return batch.outside
                                   ? 0
                                   : __float_as_uint(
                                         map.matrix.first[batch.from_bytes[i] / 4 + word]);
                    });
    });
}
#else
TILEREEL_INLINE void record_box(const BoxMap&, const StartedBox&) {}
#endif

// Starts the copy of the box whose first element is (row, column), by a thread that has announced
// its bytes: the box counts towards the phase of that arrival.
TILEREEL_INLINE void copy_box(SharedPointer<float> to, const BoxMap& map, int row, int column,
                              const Arrival& full, std::uint32_t line = __builtin_LINE()) {
    float* const first = to.first + to.at;
    if constexpr (Hooks::kRecords)
        record_box(map, {.line = line,
                         .barrier = full.number(),
                         .phase = full.latest_phase(),
                         .to_array = to.array,
                         .to_bytes = Hooks::shared_offset(first),
                         .row = row,
                         .column = column});
    device::start_box(first, &map.engine, row, column, full.state());
}

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect

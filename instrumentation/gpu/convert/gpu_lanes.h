#pragma once
// Joins lanes of a warp that diverged on the GPU. Without the recorder they would reconverge after
// a branch, but the recorder's calls may keep them diverged. Therefore a stretch of events in which
// lanes diverged is split into one sequence for each lane. Then lanes with the same event at the
// same place in the program are joined, as on the CPU.
//
// Lanes that took part in the same events of a stretch share a sequence: they are a group. Most
// stretches have two groups, which take little more work than two lanes.
//
// A stretch ends at an event of all lanes if all are in the same iteration of their loops. This is
// checked, because with the recorder's calls lanes in different iterations may execute one
// instruction together.
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "instrumentation/cuda/runtime/simulated_memory.h"
#include "instrumentation/cuda/runtime/warp/warp_rows.h"
#include "instrumentation/gpu/convert/gpu_facts.h"
#include "instrumentation/gpu/convert/gpu_order.h"

namespace tilereel::gpu {

// An event of several lanes. `array`: a number that the caller defines, or kNoArray.
struct GpuEvent {
    std::uint32_t site = 0, caller = 0;  // numbers of the records
    std::uint32_t array = 0;
    std::uint32_t rank = 0;  // 1 + that of the block of the cluster whose memory is accessed; or 0
    std::uint32_t sum = 0;   // multiply-add: DeviceRecord::high, which identifies the sum
    std::uint32_t mask = 0;
    std::uint32_t shift = 0;                 // added to each of the offsets
    std::uint32_t last_lanes = 0;            // multiply-add: its lanes that do not add to its sum
                                             // again in the epoch
    const std::uint32_t* offsets = nullptr;  // 32; null without an array
    const std::uint32_t* values = nullptr;   // rows of 32
    std::uint64_t clock = 0;                 // of the earliest lane
    static constexpr std::uint32_t kNoArray = 0xffffffff;
};

class GpuLanes {
  public:
    explicit GpuLanes(const GpuFacts& facts);
    // Begins an epoch in which the lanes of `all` take part.
    void begin_epoch(std::uint32_t all);
    // Adds the epoch's next event. What it points to must stay valid until the end of the epoch.
    // Calls put(event) for each event whose lanes are joined. It is valid until the next add().
    template <class Put>
    void add(const GpuEvent& event, Put&& put) {
        if (!diverged_ && event.mask == all_) {
            set_before(event);
            put(event);
        } else if (add_to_stretch(event)) {
            put_joined(put);
            diverged_ = false;
            set_before(event);
        }
    }
    // Between two events: whether the lanes are diverged. If not, the caller may write events of
    // all lanes itself instead of adding them. It must pass the last one of these to set_before()
    // before the next add().
    [[nodiscard]] bool is_diverged() const { return diverged_; }
    void set_before(const GpuEvent& event) {
        before_ = event;
        has_before_ = true;
    }
    template <class Put>
    void end_epoch(Put&& put) {
        if (!diverged_) return;
        align();
        put_joined(put);
        diverged_ = false;
    }

  private:
    // A place in the program whose events are recorded.
    struct Instruction {
        runtime::Site* site = nullptr;
        std::uint32_t stretch = 0;             // the stretch in which `done` counts
        std::array<std::uint32_t, 32> done{};  // by lane: how often it executed this
    };
    [[nodiscard]] Instruction& instruction_of(const GpuEvent& event);
    // Accesses of several blocks of the cluster are not joined: they have an array each.
    [[nodiscard]] runtime::MemoryArray* array_of(const GpuEvent& event);
    // Counts an execution. False if lanes of the event have executed it more often than others in
    // this stretch: they are in different iterations of a loop.
    [[nodiscard]] bool count(const GpuEvent& event);
    // Adds an event to the current stretch, or begins a stretch with it. True if the stretch ends
    // with it; then align() was called.
    [[nodiscard]] bool add_to_stretch(const GpuEvent& event);
    void find_groups();
    // Sets aligned_. The masks of its events are of groups, and their words are indices of events_.
    void align();
    template <class Put>
    void put_joined(Put&& put) {
        joined_used_ = 0;
        for (std::size_t i = has_before_ ? 1 : 0; i < aligned_->size(); ++i)
            put(joined((*aligned_)[i]));
    }
    [[nodiscard]] std::uint32_t lanes_of(std::uint32_t groups) const;
    [[nodiscard]] GpuEvent joined(const runtime::WarpEvent& aligned);
    void gather(const runtime::WarpEvent& aligned, GpuEvent& made);
    [[nodiscard]] std::uint32_t* new_rows();

    const GpuFacts& facts_;
    GpuOrder order_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Instruction> instructions_;
    std::vector<Instruction*> without_caller_;  // by site: in instructions_, or null
    std::deque<runtime::MemoryArray> arrays_;   // one for each number of an array and rank
    std::vector<std::uint32_t> groups_;         // the lanes of each, by the lowest lane
    runtime::WarpRows rows_;                    // with groups in place of lanes
    const std::vector<runtime::WarpEvent>* aligned_ = nullptr;
    std::uint32_t stretch_ = 0;  // number of stretches with diverged lanes so far
    std::uint32_t all_ = 0;      // the lanes of the epoch
    bool diverged_ = false;      // a stretch has begun and not ended
    GpuEvent before_;  // the last event of all lanes, in the same iterations of their loops
    bool has_before_ = false;
    std::vector<GpuEvent> events_;  // of the stretch, after before_ if there is one
    // Offsets and values of joined events: most_rows_ rows of 32 words for each event.
    std::uint32_t most_rows_ = 1;
    std::vector<std::unique_ptr<std::uint32_t[]>> joined_rows_;
    std::size_t joined_used_ = 0;
};

}  // namespace tilereel::gpu

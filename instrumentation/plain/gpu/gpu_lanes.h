#pragma once
// Joins lanes of a warp that diverged on the GPU. Without the recorder they would reconverge after
// a branch, but the recorder's calls may keep them apart. Therefore a stretch of events in which
// lanes diverged is split into sequences again. Then lanes with the same event at the same place in
// the program are joined, as on the CPU.
//
// Lanes that took part in the same events of a stretch have one sequence: they are a group. Most
// stretches have two groups, so that little more is done than for two lanes.
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

#include "instrumentation/plain/gpu/gpu_facts.h"
#include "instrumentation/plain/runtime/memory.h"
#include "instrumentation/plain/runtime/warp_rows.h"

namespace tilereel::plain {

// An event of several lanes. `array`: a number that the caller defines, or kNoArray.
struct GpuEvent {
    std::uint32_t site = 0, caller = 0;  // numbers of the records
    std::uint32_t array = 0;
    std::uint32_t sum = 0;  // multiply-add: DeviceRecord::high, which identifies the sum
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
    // The events of an epoch with their lanes joined. Valid until the next call, while `events` is
    // valid.
    [[nodiscard]] const std::vector<GpuEvent>& together(std::span<const GpuEvent> events);

  private:
    // A place in the program whose events are recorded.
    struct Instruction {
        Site site{};
        std::uint32_t stretch = 0;             // the stretch in which `done` counts
        std::array<std::uint32_t, 32> done{};  // by lane: how often it executed this
    };
    [[nodiscard]] Instruction& instruction_of(const GpuEvent& event);
    [[nodiscard]] MemoryArray* array_of(std::uint32_t number);
    // Counts an execution. False if lanes of the event have executed it more often than others in
    // this stretch: they are in different iterations of a loop.
    [[nodiscard]] bool count(const GpuEvent& event);
    void find_groups(std::span<const GpuEvent> events);
    // The masks of aligned events are of groups, and their words are indices of `events`. Valid
    // until the next call.
    const std::vector<WarpEvent>& align(std::span<const GpuEvent> events);
    [[nodiscard]] std::uint32_t lanes_of(std::uint32_t groups) const;
    void keep_aligned(std::span<const GpuEvent> events, bool without_first);
    [[nodiscard]] GpuEvent joined(std::span<const GpuEvent> events, const WarpEvent& aligned);
    void gather(std::span<const GpuEvent> events, const WarpEvent& aligned, GpuEvent& made);
    [[nodiscard]] std::uint32_t* new_rows();

    const GpuFacts& facts_;
    std::vector<Loop> loops_;
    std::vector<const Loop*> loop_of_;  // by site: the innermost enclosing loop
    std::map<std::pair<std::uint32_t, std::uint32_t>, Instruction> instructions_;
    std::vector<Instruction*> without_caller_;  // by site: those of instructions_, or null
    std::deque<MemoryArray> arrays_;            // one for each number of an array
    std::vector<std::uint32_t> groups_;         // their lanes, by the lowest lane
    WarpRows rows_;                             // with groups in place of lanes
    const std::vector<WarpEvent>* aligned_ = nullptr;
    std::uint32_t stretch_ = 0;  // number of stretches with diverged lanes so far
    std::vector<GpuEvent> together_;
    // Offsets and values of events that were joined, each with the same room.
    static constexpr std::uint32_t kMostRows = 5;
    std::vector<std::unique_ptr<std::uint32_t[]>> joined_rows_;
    std::size_t joined_used_ = 0;
};

}  // namespace tilereel::plain

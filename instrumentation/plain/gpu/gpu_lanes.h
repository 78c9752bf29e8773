#pragma once
// Joins lanes of a warp that diverged on the GPU. After a branch the program alone would
// reconverge, but the recorder's calls may keep the lanes apart. So a stretch of events in which
// lanes diverged is taken apart into each lane's own order. Then lanes that do the same at the same
// place of the program are joined, as on the CPU.
//
// A stretch ends at an event of all lanes, if all are in the same iteration of their loops. They
// need not be: the recorder's calls let lanes in different iterations run one instruction together.
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "instrumentation/plain/gpu/gpu_facts.h"
#include "instrumentation/plain/runtime/memory.h"
#include "instrumentation/plain/runtime/warp_rows.h"

namespace tilereel::plain {

// What lanes did together. `array`: a number of the caller's, or kNoArray.
struct GpuEvent {
    std::uint32_t site = 0, caller = 0;  // as the records number them
    std::uint32_t array = 0;
    std::uint32_t sum = 0;  // of a multiply-add: which, as the record says
    std::uint32_t mask = 0;
    const std::uint32_t* offsets = nullptr;  // 32; null without an array
    const std::uint32_t* values = nullptr;   // rows of 32
    std::uint64_t clock = 0;                 // of the first of the lanes
    bool is_last_sum = false;                // of a multiply-add: the epoch's last into its sum
    static constexpr std::uint32_t kNoArray = 0xffffffff;
};

class GpuLanes {
  public:
    explicit GpuLanes(const GpuFacts& facts);
    // The events of an epoch with their lanes joined. Valid until the next call, and as long as
    // `events` is.
    [[nodiscard]] const std::vector<GpuEvent>& together(std::span<const GpuEvent> events);

  private:
    // A place in the program whose events are recorded.
    struct Instruction {
        Site site{};
        std::uint32_t stretch = 0;             // the stretch in which `done` counts
        std::array<std::uint32_t, 32> done{};  // by lane: how often it ran this
    };
    [[nodiscard]] Instruction& instruction_of(const GpuEvent& event);
    [[nodiscard]] MemoryArray* array_of(std::uint32_t number);
    // False: lanes of the event have done it more often than others in this stretch, so they are
    // in different trips of a loop.
    [[nodiscard]] bool count(const GpuEvent& event);
    // Valid until the next call.
    const std::vector<WarpEvent>& align(std::span<const GpuEvent> events);
    void keep_aligned(bool without_first);

    const GpuFacts& facts_;
    std::vector<Loop> loops_;
    std::vector<const Loop*> loop_of_;  // by site: the innermost one around it
    std::map<std::pair<std::uint32_t, std::uint32_t>, Instruction> instructions_;
    std::deque<MemoryArray> arrays_;  // one for each number of an array
    WarpRows rows_;
    const std::vector<WarpEvent>* aligned_ = nullptr;
    std::uint32_t stretch_ = 0;  // stretches of all epochs in which lanes were apart
    std::vector<GpuEvent> together_;
    std::deque<std::vector<std::uint32_t>> words_;  // offsets and values of the joined events
};

}  // namespace tilereel::plain

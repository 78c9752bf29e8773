#pragma once
// Heat maps: how often each element of the global arrays was read. Counted on a thread of its own,
// once for each recording.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/replay/element_reads.h"
#include "app/ui/theme.h"
#include "app/workbench/view_state.h"
#include "app/workbench/workbench.h"

namespace tilereel::stage {

// Counts that are drawn alike.
struct HeatClass {
    std::uint32_t least = 0, most = 0;  // counts, both included
    bool operator==(const HeatClass&) const = default;
};
// The classes of these counts, ascending, without 0: one a count where there are few different
// ones; else kMostHeatSteps ranges of equal width or, where counts differ by more than 32 times, of
// equal ratio.
[[nodiscard]] std::vector<HeatClass> heat_classes(const std::vector<std::uint32_t>& counts);
class HeatView {
  public:
    HeatView();
    ~HeatView();
    HeatView(HeatView&&) noexcept;
    HeatView& operator=(HeatView&&) noexcept;

    // Once a frame: begins to count where heat is shown and this recording was not counted yet.
    void refresh(const Workbench& workbench);
    [[nodiscard]] bool shown() const { return heat_ != Heat::kOff; }
    [[nodiscard]] Heat heat() const { return heat_; }
    [[nodiscard]] bool counting() const;
    // "37 of 256 blocks"
    [[nodiscard]] std::string progress() const;
    // nullptr: they are still being counted, or heat is not shown.
    [[nodiscard]] const ElementReads* reads() const;

    // What is shown of an array: the counts of its cells and their classes.
    struct OfArray {
        const std::vector<std::uint32_t>* counts = nullptr;
        std::vector<HeatClass> classes{};
        [[nodiscard]] std::uint32_t count(std::uint64_t cell) const {
            return counts != nullptr && cell < counts->size() ? (*counts)[cell] : 0;
        }
        // The class of a count from 1 on.
        [[nodiscard]] std::size_t class_of(std::uint32_t count) const;
    };
    // nullptr: nothing is counted yet, or the array is not in global memory.
    [[nodiscard]] const OfArray* of(ArrayId array) const;

    // The picture of an array, kept until it changes. Where there are more cells than pixels,
    // several of them are drawn as one, in the strongest of their classes.
    struct Picture {
        std::array<std::uint64_t, 6> key{};
        std::vector<std::uint8_t> classes{};  // 0: never read; else the class + 1
    };
    [[nodiscard]] Picture& picture(ArrayId array) { return pictures_[array]; }

  private:
    struct Job;
    void retire();

    std::unique_ptr<Job> job_;
    // Jobs that were told to stop and have not ended yet: the window does not wait for them.
    std::vector<std::unique_ptr<Job>> retired_;
    Heat heat_ = Heat::kOff;
    std::uint64_t recording_ = 0;  // Recording::id of the job; 0: none
    Heat classed_ = Heat::kOff;    // what arrays_ is of
    std::vector<OfArray> arrays_;
    std::vector<Picture> pictures_;
};

}  // namespace tilereel::stage

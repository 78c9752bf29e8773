#pragma once
// Heat maps: how often each element of the global arrays was read. The reads are counted once for
// each recording, on a thread of their own if there are many.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/replay/arrays/element_reads.h"
#include "app/replay/elements.h"
#include "app/ui/theme.h"
#include "app/workbench/view/view_state.h"
#include "app/workbench/workbench.h"

namespace tilereel::stage {

// A range of counts with the same colour.
struct HeatClass {
    std::uint32_t least = 0, most = 0;  // both inclusive
    bool operator==(const HeatClass&) const = default;
};
// The classes of these counts, ascending, without 0: one for each count if there are few different
// counts; else kMostHeatSteps ranges of equal width or, if the counts differ by more than a factor
// of 32, of equal ratio.
[[nodiscard]] std::vector<HeatClass> heat_classes(const std::vector<std::uint32_t>& counts);
class HeatView {
  public:
    HeatView();
    ~HeatView();
    HeatView(HeatView&&) noexcept;
    HeatView& operator=(HeatView&&) noexcept;

    // Call it once per frame. Starts counting if heat is shown and this recording was not counted.
    void refresh(const Workbench& workbench);
    [[nodiscard]] bool shown() const { return heat_ != Heat::kOff; }
    [[nodiscard]] Heat heat() const { return heat_; }
    [[nodiscard]] bool counting() const;
    // "37 of 256 blocks"
    [[nodiscard]] std::string progress() const;
    // nullptr while counting, or if heat is not shown.
    [[nodiscard]] const ElementReads* reads() const;

    // The counts of an array's cells and their classes.
    struct OfArray {
        const std::vector<std::uint32_t>* counts = nullptr;
        std::vector<HeatClass> classes{};
        [[nodiscard]] std::uint32_t count(std::uint64_t cell) const {
            return counts != nullptr && cell < counts->size() ? (*counts)[cell] : 0;
        }
        // The class of a count from 1 on.
        [[nodiscard]] std::size_t class_of(std::uint32_t count) const;
    };
    // nullptr while counting, if heat is not shown, or if the array is not in global memory.
    [[nodiscard]] const OfArray* of(ArrayId array) const;

    // The cached picture of an array. If there are more cells than pixels, several cells are drawn
    // as one, with the highest of their classes.
    struct PictureKey {
        CellRect part;           // of the array's picture
        std::uint32_t each = 0;  // one drawn cell stands for each x each
        std::uint32_t row_length = 0;
        bool operator==(const PictureKey&) const = default;
    };
    struct Picture {
        PictureKey key{};
        std::vector<std::uint8_t> classes{};  // 0: never read; else the class + 1
    };
    [[nodiscard]] Picture& picture(ArrayId array) { return pictures_[array]; }

  private:
    struct Job;
    void retire();

    std::unique_ptr<Job> job_;
    // Cancelled jobs that have not ended yet. The window does not wait for them.
    std::vector<std::unique_ptr<Job>> retired_;
    Heat heat_ = Heat::kOff;
    std::uint64_t recording_ = 0;  // Recording::id of the job; 0: none
    Heat classed_ = Heat::kOff;    // the heat for which arrays_ was made
    std::vector<OfArray> arrays_;
    std::vector<Picture> pictures_;
};

}  // namespace tilereel::stage

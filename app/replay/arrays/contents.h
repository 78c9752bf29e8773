#pragma once
// The content of the cells of global arrays at any step of a replay, and the steps that use them.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/replay/replay.h"

namespace tilereel {

// The size of one cell of the picture. A cell is a single value, so that an element of a vector
// type
// ("float4"), or a structure whose members have the same size, is several cells. Any other
// structure is one cell.
[[nodiscard]] std::uint32_t cell_bytes(const Array& array);
// The type of a cell's value; kBytes for a structure that is one cell.
[[nodiscard]] ElementType type_of_cell(const Array& array, std::uint64_t cell);
// The value of a cell as text: "0.5", "-3"; for a structure that is one cell all its members,
// "{mass 0.5, id 3}".
[[nodiscard]] std::string cell_text(const Array& array, std::uint64_t cell,
                                    std::span<const std::byte> bytes);
// The number of cells of the whole array, with padding.
[[nodiscard]] std::uint64_t cell_count(const Array& array);

// The content of arrays: the content before the launch, overwritten by the stores of the watched
// block. Stores of other blocks are ignored, because their time is unknown.
class ArrayContents {
  public:
    // Walks all requests of the block twice.
    explicit ArrayContents(const Replay& replay);

    // The block's accesses of one cell, as numbers of steps; kNoStep: none.
    struct Use {
        std::uint32_t first = kNoStep, last = kNoStep;
        std::uint32_t first_written = kNoStep;
    };
    [[nodiscard]] Use use(ArrayId array, std::uint64_t cell) const;
    // A half-open range that contains all cells that the block accesses; empty if there are none.
    struct Range {
        std::uint64_t first = 0, last = 0;
        [[nodiscard]] bool empty() const { return first >= last; }
    };
    [[nodiscard]] Range used(ArrayId array) const;
    // The bytes of a cell after all steps before `step`; empty if unknown.
    [[nodiscard]] std::vector<std::byte> bytes(ArrayId array, std::uint64_t cell,
                                               std::uint32_t step) const;

    // The last step before `step` that writes the cell; nullopt if there is none.
    [[nodiscard]] std::optional<std::uint32_t> last_write(ArrayId array, std::uint64_t cell,
                                                          std::uint32_t step) const;

  private:
    struct Write {
        std::uint64_t offset = 0;  // bytes from the start of the array
        std::uint32_t step = 0;
        std::uint8_t width_bytes = 0;
        std::size_t word = 0;  // index in Trace::words; kUnknownWord: no value was recorded
    };
    static constexpr std::size_t kUnknownWord = ~std::size_t{0};
    struct PerArray {
        Range used;
        std::vector<Use> uses;      // by cell from used.first
        std::vector<Write> writes;  // by offset, then step
    };
    [[nodiscard]] std::vector<const Write*> writes_to(ArrayId array, std::uint64_t cell,
                                                      std::uint32_t step) const;
    void find_ranges(const Replay& replay);
    void find_uses(const Replay& replay);

    const Trace& trace_;
    std::vector<PerArray> arrays_;
};

}  // namespace tilereel

#pragma once
// What the cells of global arrays hold at any step of a replay, and when the block uses them.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/replay/replay.h"

namespace tilereel {

// Bytes of one cell of the picture: a value of the array's element type, so that an element of a
// vector type ("float4") is several cells, and so is a structure whose members have one size. Any
// other structure is one cell.
[[nodiscard]] std::uint32_t cell_bytes(const Array& array);
// The type of a cell's value; bytes: a structure that is one cell.
[[nodiscard]] ElementType type_of_cell(const Array& array, std::uint64_t cell);
// A cell's bytes as it is written: "0.5", "-3"; of a structure that is one cell all its members,
// "{mass 0.5, id 3}".
[[nodiscard]] std::string cell_text(const Array& array, std::uint64_t cell,
                                    std::span<const std::byte> bytes);
// Cells of the whole array, padding counted.
[[nodiscard]] std::uint64_t cell_count(const Array& array);

// The first content of an array that the trace brings, and over it what the watched block has
// stored. What other blocks store is not in it: nothing tells when they ran.
class ArrayContents {
  public:
    // Walks all requests of the block once.
    explicit ArrayContents(const Replay& replay);

    // What the block does with one cell, as numbers of steps; kNoStep: never.
    struct Use {
        std::uint32_t first = kNoStep, last = kNoStep;
        std::uint32_t first_written = kNoStep;
    };
    [[nodiscard]] Use use(ArrayId array, std::uint64_t cell) const;
    // The cells that the block accesses lie between these, half-open; empty: it accesses none.
    struct Range {
        std::uint64_t first = 0, last = 0;
        [[nodiscard]] bool empty() const { return first >= last; }
    };
    [[nodiscard]] Range used(ArrayId array) const;
    // The bytes of a cell once all steps before `step` have ended; empty: unknown.
    [[nodiscard]] std::vector<std::byte> bytes(ArrayId array, std::uint64_t cell,
                                               std::uint32_t step) const;

    // The last step before `step` that writes the cell; nullopt: none does.
    [[nodiscard]] std::optional<std::uint32_t> last_write(ArrayId array, std::uint64_t cell,
                                                          std::uint32_t step) const;

  private:
    struct Write {
        std::uint64_t offset = 0;  // bytes, from the array's first
        std::uint32_t step = 0;
        std::uint8_t width_bytes = 0;
        std::size_t word = 0;  // of Trace::words; kUnknownWord: no value was kept
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

#include "instrumentation/analysis/cost/matrix_loads.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <utility>

#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kSlots = 8;  // of 16 bytes in 32 banks of 4
constexpr std::uint32_t kMostLoads = 1024;

std::string text_of(std::int64_t value) { return std::to_string(value); }

// The mode whose neighbouring elements are neighbours in memory; nullopt: none.
std::optional<std::size_t> contiguous_mode(const CuteLayout& layout) {
    // The last one first: rows of a row-major tile are rows.
    for (std::size_t mode = layout.modes().size(); mode-- > 0;)
        for (const CuteLayout::Leaf& leaf : layout.modes()[mode]) {
            if (leaf.shape == 1) continue;
            if (leaf.stride == 1) return mode;
            break;
        }
    return std::nullopt;
}

std::string many(std::uint64_t count, const char* one, const char* more) {
    return with_commas(count) + " " + (count == 1 ? one : more);
}

std::uint32_t count_matrices(const WarpAccess& access) {
    return static_cast<std::uint32_t>(std::popcount(access.lanes.mask)) / kRowsOfMatrix;
}

// The most rows of a matrix that meet in one slot. Rows at one address are one.
std::uint32_t most_rows_in_a_slot(const WarpAccess& access) {
    std::uint32_t most = 0;
    for (std::uint32_t matrix = 0; matrix < count_matrices(access); ++matrix) {
        std::array<std::set<std::uint32_t>, kSlots> slots;
        for (std::uint32_t row = 0; row < kRowsOfMatrix; ++row) {
            const std::uint32_t piece =
                access.lanes.bytes[matrix * kRowsOfMatrix + row] / kBytesOfMatrixRow;
            slots[piece % kSlots].insert(piece);
        }
        for (const auto& slot : slots)
            most = std::max(most, static_cast<std::uint32_t>(slot.size()));
    }
    return most;
}

}  // namespace

std::int64_t elements_of_row(std::uint32_t width_bytes) {
    return std::max<std::int64_t>(kBytesOfMatrixRow / width_bytes, 1);
}

std::uint32_t TileLoads::count() const {
    return static_cast<std::uint32_t>(rows / (kRowsOfMatrix * down) * (pieces / across));
}

std::int64_t TileLoads::row_of(const CuteLayout& layout, std::uint32_t load,
                               std::uint32_t lane) const {
    const std::int64_t loads_down = rows / (kRowsOfMatrix * down);
    const std::int64_t matrix = lane / kRowsOfMatrix;
    const std::int64_t row =
        (load % loads_down * down + matrix % down) * kRowsOfMatrix + lane % kRowsOfMatrix;
    const std::int64_t at_piece = load / loads_down * across + matrix / down;
    std::array<std::int64_t, 2> coordinate{};
    coordinate[row_mode] = row;
    coordinate[1 - row_mode] = at_piece * piece;
    return layout.offset(coordinate);
}

Result<TileLoads> loads_of_tile(const CuteLayout& layout, std::uint32_t width_bytes,
                                std::uint32_t matrices) {
    if (layout.modes().size() != 2)
        return wrong_call(
            "a matrix load takes a tile of rows and columns; write a layout of two "
            "modes, such as (64,64):(64,1)");
    const auto side_by_side = contiguous_mode(layout);
    const std::int64_t elements = elements_of_row(width_bytes);
    const std::string of_16_bytes = text_of(elements) + (elements == 1 ? " element" : " elements");
    if (!side_by_side)
        return wrong_call(
            "no elements of the layout lie side by side; a row of a matrix is 16 "
            "bytes, " +
            of_16_bytes + " with stride 1");
    TileLoads loads;
    loads.row_mode = 1 - *side_by_side;
    loads.rows = layout.size(loads.row_mode);
    const std::int64_t columns = layout.size(*side_by_side);
    loads.piece = elements;
    loads.pieces = columns / elements;
    if (loads.rows % kRowsOfMatrix != 0 || columns % elements != 0)
        return wrong_call("a tile of " + text_of(loads.rows) + " rows of " + text_of(columns) +
                          " elements has no whole matrices; a matrix is 8 rows of " + of_16_bytes);
    for (const std::int64_t down :
         {std::min<std::int64_t>(matrices, 2), std::int64_t{1}, std::int64_t{matrices}}) {
        loads.down = down;
        loads.across = matrices / down;
        if (loads.rows / kRowsOfMatrix % loads.down != 0 || loads.pieces % loads.across != 0)
            continue;
        if (loads.rows / (kRowsOfMatrix * loads.down) * (loads.pieces / loads.across) > kMostLoads)
            return wrong_call("the tile takes more than 1,024 loads; use a smaller one");
        return loads;
    }
    return wrong_call("a tile of " + text_of(loads.rows / kRowsOfMatrix) + " by " +
                      text_of(loads.pieces) + " matrices is no multiple of the " +
                      text_of(matrices) + " that a load takes; use fewer matrices a load");
}

std::optional<std::int64_t> row_length(const CuteLayout& layout) {
    const auto side_by_side = contiguous_mode(layout);
    std::optional<std::int64_t> least;
    for (std::size_t mode = 0; mode < layout.modes().size(); ++mode)
        for (const CuteLayout::Leaf& leaf : layout.modes()[mode])
            if (mode != side_by_side && leaf.shape > 1 && leaf.stride > 1)
                least = std::min(least.value_or(leaf.stride), leaf.stride);
    return least;
}

std::string matrix_sentence(const std::string& who, const WarpAccess& access,
                            const Generation& generation) {
    const RequestCost cost = cost_of(access, generation);
    const std::uint32_t matrices = count_matrices(access);
    const std::string takes = "it takes " + many(cost.wavefronts, "wavefront", "wavefronts");
    const std::string text = who +
                             (access.operation == Operation::kMatrixLoad ? " reads " : " writes ") +
                             many(matrices, "matrix", "matrices") + " of 8 rows of 16 bytes; ";
    if (cost.bank_conflicts == 0)
        return text + (cost.wavefronts == matrices
                           ? "the rows of a matrix lie in 8 slots of the banks, so " + takes +
                                 (matrices == 1 ? "" : ", one a matrix") + ", and no conflict."
                           : takes + " and no conflict.");
    return text + "up to " + std::to_string(most_rows_in_a_slot(access)) +
           " rows of a matrix meet in one slot of 16 bytes, so " + takes + " where " +
           std::to_string(cost.ideal_wavefronts) +
           " would do: " + many(cost.bank_conflicts, "conflict", "conflicts") + ".";
}

Status check_has_matrix_access(Operation operation, const Generation& generation) {
    const bool store = operation == Operation::kMatrixStore;
    const int major = major_version(generation.id);
    if (!is_matrix_access(operation) || major >= 9 ||
        (!store && (major == 8 || generation.id == "7.5")))
        return Done{};
    return wrong_call(std::string(generation.title) + " has no " +
                      (store ? "stmatrix" : "ldmatrix") + "; it came with compute capability " +
                      (store ? "9.0" : "7.5"));
}

std::uint32_t slot_of(const WarpAccess& access, std::uint32_t lane) {
    return access.lanes.bytes[lane] / kBytesOfMatrixRow % kSlots;
}

std::string matrix_instruction(Operation operation, std::uint32_t matrices) {
    return (operation == Operation::kMatrixLoad ? "ldmatrix.x" : "stmatrix.x") +
           std::to_string(matrices);
}

}  // namespace tilereel

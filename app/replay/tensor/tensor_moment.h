#pragma once
// What the lanes of a warp hold for the tensor cores at the shown moment: the picture of fragments,
// the inspector's registers and the sentence are made of it.
#include <optional>
#include <string>
#include <vector>

#include "app/replay/replay.h"
#include "app/replay/tensor/fragment_grid.h"
#include "app/replay/tensor/held_since.h"
#include "app/replay/tensor/tensor_steps.h"

namespace tilereel {

// A matrix of the product, or the matrices of a matrix load or store that belongs to no product.
struct HeldFragment {
    FragmentGrid grid;
    int registers = 0;                 // 32-bit, of a lane
    std::vector<std::uint32_t> words;  // [lane * registers + register]; empty: not recorded
    // Of sums that the step's end computes, or a later one: the sums that they are added to; empty:
    // unknown.
    std::vector<std::uint32_t> former;
    std::vector<HeldSince> since;  // by register
    // [lane * registers + register]: the wavefront of the request that brings or takes it, if
    // `since` is kNow or the request stores it.
    std::vector<std::uint32_t> wavefront;
    bool touched = false;  // the request loads or stores some of it

    [[nodiscard]] bool has_values() const { return !words.empty(); }
    [[nodiscard]] HeldSince since_of(const FragmentCell& cell) const;
    [[nodiscard]] std::uint32_t wavefront_of(const FragmentCell& cell) const;
    // Element number `index` of a lane.
    [[nodiscard]] double value(int lane, int index) const { return value_in(words, lane, index); }
    // As the picture has it before the product: `former`, if it is known.
    [[nodiscard]] double former_value(int lane, int index) const {
        return value_in(former, lane, index);
    }
    // The bits of the registers `first` to `last` of `words` or of `former`: "3f804040", for a
    // double 16 digits.
    [[nodiscard]] std::vector<std::string> bits_of(const std::vector<std::uint32_t>& of, int lane,
                                                   int first, int last) const;

  private:
    [[nodiscard]] double value_in(const std::vector<std::uint32_t>& of, int lane, int index) const;
};

// One matrix of a matrix load or store: 8 rows of 16 bytes.
struct LoadedMatrix {
    std::size_t fragment = 0;  // index into TensorMoment::fragments
    int lane_register = -1;    // that holds it; -1: another product's
};

struct TensorMoment {
    std::uint32_t step = kNoStep;
    std::uint32_t warp = 0;
    bool is_request = false;              // `step` is the request in flight
    std::vector<std::uint32_t> products;  // that the step loads for, computes or stores
    std::size_t chosen = 0;               // index into `products`
    std::optional<WarpProduct> product;   // the chosen one; nullopt: there is none
    std::uint32_t product_line = 0, product_step = kNoStep;
    std::vector<HeldFragment>
        fragments;  // A, B and D of the product, or the matrices of the access
    Operation operation = Operation::kLoad;  // of the step
    bool transposed = false;                 // of a matrix load or store
    std::vector<LoadedMatrix> matrices;      // of a matrix load or store that is the request
    bool computes = false;                   // the chosen product is computed at the step's end
    bool at_last_wavefront = true;           // of the step
    bool stores_sums = false;                // the step stores the product's sums

    [[nodiscard]] const HeldFragment* fragment(MatrixOperand operand) const;
};

// The moment of the chosen warp or, without one, of the request in flight. `lane`: of an
// instruction that makes several products, the product of this lane is shown. `choice`: which
// product of the step; those after the last begin again with the first. nullopt: the step has
// nothing to do with tensor cores.
[[nodiscard]] std::optional<TensorMoment> tensor_moment(const Replay& replay,
                                                        std::optional<std::uint32_t> chosen_warp,
                                                        std::uint32_t lane, std::size_t choice);
// "ldmatrix.x4", "stmatrix.x2.trans"; empty for other operations.
[[nodiscard]] std::string matrix_instruction(Operation operation, std::size_t matrices,
                                             bool transposed);

}  // namespace tilereel

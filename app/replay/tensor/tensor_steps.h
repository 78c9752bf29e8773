#pragma once
// Which loads bring the registers of each matrix product, and which stores take its sums.
//
// Why by values. A trace says what a lane loaded and what a product multiplied, but not which
// register lies between them: the compiler decides that. A load of 32 lanes and a register of a
// product that hold the same 32 values are taken for the same. Where several loads have these
// values, as in a matrix of ones, the choice falls on a load of the array that fed the operand
// before, then on matrix loads, then on the oldest load that no product has used.
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "app/replay/schedule/schedule.h"
#include "app/replay/state/state.h"
#include "instrumentation/trace/fragments/warp_product.h"

namespace tilereel {

// A register of a product, or a part of it, that a step loads or stores.
struct TensorLink {
    std::uint32_t step = kNoStep;
    MatrixOperand operand = MatrixOperand::kA;
    std::uint8_t lane_register = 0;  // 32-bit register of a lane's part of the operand
    std::uint8_t word = 0;           // of the access: its matrix, or the 4-byte word of a lane
    std::uint8_t first_byte = 0, bytes = 4;  // of the register
};

struct TensorProduct {
    std::uint64_t record = 0;      // a kMatrixProduct
    std::uint64_t first_word = 0;  // in Trace::words, if the record has values
    std::uint32_t step = kNoStep;  // at its end the product is computed; kNoStep: before the first
    std::uint16_t warp = 0;
    std::uint32_t first_link = 0, last_link = 0;  // of loads: [first, last) of links()
    // The product whose sums this one adds to. Its own number: none was found, or the sums begin
    // with 0.
    std::uint32_t adds_to = 0;
};

class TensorSteps {
  public:
    // In the order in which they are computed.
    [[nodiscard]] const std::vector<TensorProduct>& products() const { return products_; }
    // The loads of a product's registers.
    [[nodiscard]] std::span<const TensorLink> loads_of(std::uint32_t product) const;
    // The products that a step loads for, that are computed at its end, or whose sums it stores;
    // ascending.
    [[nodiscard]] std::span<const std::uint32_t> products_at(std::uint32_t step) const;
    // The products that are computed at the end of a step.
    [[nodiscard]] bool computes(std::uint32_t step) const;

  private:
    friend class TensorFinder;
    std::vector<TensorProduct> products_;
    std::vector<TensorLink> links_;
    std::vector<std::uint32_t> first_at_, at_;  // products_at(): [first_at_[s], first_at_[s + 1])
    std::vector<bool> computes_;                // by step
};

// The 32 bits of a lane's register after a matrix load, or before a matrix store. `request`: of
// whose lanes each has a row of 16 bytes. kUnknownWord if a lane has no values.
[[nodiscard]] std::uint32_t matrix_register(const RequestState& request, bool transposed,
                                            int matrix, int lane);
// The number of matrices of a matrix load or store.
[[nodiscard]] int matrices_of(const RequestState& request);

// Finds the links in one pass over the steps of a block.
class TensorFinder {
  public:
    // The arguments must outlive it.
    TensorFinder(const Trace& trace, const BlockRecords& records, const Schedule& schedule);
    // Whether the launch multiplies or loads matrices; otherwise there is nothing to find.
    [[nodiscard]] static bool applies(const Trace& trace);
    // Takes the steps in order, each with its request.
    void add(std::uint32_t step, const RequestState& request);
    [[nodiscard]] TensorSteps take();

  private:
    // The values of 32 lanes as one number: equal values have equal numbers.
    using Values = std::uint64_t;
    struct Loaded {
        Values values = 0;
        std::uint32_t step = 0;
        ArrayId array = kNoArray;
        std::uint8_t word = 0, bytes = 4;
        bool by_matrix = false, used = false;
        std::uint32_t taken_by = kNoStep;  // the last product that took it
    };
    struct Sums {
        Values values = 0;
        std::uint32_t product = 0;
    };
    struct Warp {
        std::vector<Loaded> loaded;  // oldest first
        std::vector<Sums> sums;      // likewise
    };

    void add_loaded(std::uint32_t step, const Site& site, const RequestState& request);
    void add_stored(std::uint32_t step, const Site& site, const RequestState& request);
    void add_product(std::uint64_t record, std::uint32_t step, std::uint16_t warp);
    void link_operand(Warp& warp, std::uint64_t record, MatrixOperand operand,
                      std::span<const std::uint32_t> words, std::size_t stride, std::size_t first,
                      int registers);
    void find_former_sums(std::uint32_t number, const WarpProduct& product);
    Loaded* find(Warp& warp, SiteId site, MatrixOperand operand, Values values, int bytes);
    void note(std::uint32_t step, std::uint32_t product);

    const Trace& trace_;
    const BlockRecords& records_;
    const Schedule& schedule_;
    TensorSteps result_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> at_;  // step and product
    std::map<std::uint16_t, Warp> warps_;
    std::map<std::pair<SiteId, MatrixOperand>, ArrayId> fed_by_;  // the array that fed it last
};

}  // namespace tilereel

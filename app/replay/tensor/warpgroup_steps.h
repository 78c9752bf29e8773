#pragma once
// The products that warpgroups make with wgmma, the steps of their modelled reads, and their sums.
//
// Why sums are worked out. The record of a product has its descriptors and no registers, so D is
// not recorded. The replay knows what lies in shared memory when a product reads it, and multiplies
// that. Which registers a product adds to is not recorded either: the finder tries one accumulator,
// two in turn, and so on, and takes the first for which the values that the lanes store later are
// the sums. If none fits, the sums are not known, and only the lanes are shown.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "app/replay/schedule/schedule.h"
#include "app/replay/state/state.h"
#include "app/replay/tensor/warpgroup_sums.h"
#include "instrumentation/trace/fragments/warpgroup_reads.h"

namespace tilereel {

struct GroupProduct {
    WarpgroupProduct product;
    WarpgroupOperands operands;
    std::uint32_t group = 0;      // warpgroup of the block: warp / 4
    std::uint32_t line = 0;       // of the instruction
    std::uint32_t wait_line = 0;  // of the wait after which the sums may be read; 0: there is none
    // By warp of the warpgroup: the steps in which it reads, ascending.
    std::array<std::vector<std::uint32_t>, 4> reads;
    // D after the product: [row * n + column]; empty: not known. NaN: of a warp that stores none.
    std::vector<float> sums;
    // The product whose sums this one adds to; its own number: none, or not known.
    std::uint32_t adds_to = 0;
};

// A store of registers of D. `element`: of a lane in its first word, as element_of() numbers them.
struct StoredSums {
    std::uint32_t product = 0;
    int element = 0;
};

class WarpgroupSteps {
  public:
    // In the order in which the first of their warps reads.
    [[nodiscard]] const std::vector<GroupProduct>& products() const { return products_; }
    // The product for which a step reads.
    [[nodiscard]] std::optional<std::uint32_t> read_by(std::uint32_t step) const;
    // The sums that a step stores.
    [[nodiscard]] std::optional<StoredSums> stored_at(std::uint32_t step) const;

  private:
    friend class WarpgroupFinder;
    std::vector<GroupProduct> products_;
    std::map<std::uint32_t, std::uint32_t> read_by_;
    std::map<std::uint32_t, StoredSums> stored_at_;
};

// Finds them in one pass over the steps of a block.
class WarpgroupFinder {
  public:
    // The arguments must outlive it.
    WarpgroupFinder(const Trace& trace, const BlockRecords& records, const Schedule& schedule);
    // Takes the steps in order, each with its request.
    void add(std::uint32_t step, const RequestState& request);
    [[nodiscard]] WarpgroupSteps take();

  private:
    struct Store {
        std::uint32_t step = 0;
        std::size_t after = 0;  // products of the warp before it
        StoredWords words;
    };
    struct Warp {
        std::uint64_t record = ~std::uint64_t{0};  // of its last product
        std::vector<std::uint32_t> products;
        std::vector<Store> stores;
    };

    void add_read(std::uint32_t step, const RequestState& request);
    void add_store(std::uint32_t step, const Site& site, const RequestState& request);
    [[nodiscard]] std::optional<std::uint32_t> product_of(std::uint64_t record, std::uint16_t warp);
    void find_waits();
    void find_sums(std::uint16_t number, const Warp& warp);

    const Trace& trace_;
    const BlockRecords& records_;
    const Schedule& schedule_;
    WarpgroupSteps result_;
    std::map<std::uint16_t, Warp> warps_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_group_;  // products in order
    std::map<std::uint64_t, std::uint32_t> of_record_;
    std::vector<FactorPieces> pieces_;                // by product
    std::vector<std::vector<float>> products_of_it_;  // A B alone, by product
    std::size_t kept_ = 0;                            // elements in `products_of_it_`
};

}  // namespace tilereel

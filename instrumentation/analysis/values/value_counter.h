#pragma once
// Goes through the records of a trace and counts, site by site, the records whose values follow
// from earlier operations of the same threads. value_check.h has the rules.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/values/memory_state.h"
#include "instrumentation/analysis/values/warp_registers.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

[[nodiscard]] std::string nine_digits(float value);  // "0.1", "NaN": enough to identify a float

class ValueCounter {
  public:
    explicit ValueCounter(const Trace& trace);
    void run();
    [[nodiscard]] const ProductState& product() const { return product_; }
    // "copies 7 on line 20 ...": the first asynchronous copy that stored another value than it
    // loaded. Empty if there is none.
    [[nodiscard]] const std::string& false_copy() const { return false_copy_; }

    // Counts by site, so that a site that computes in another way is not mixed with others.
    struct SiteCount {
        std::uint64_t explained = 0, unexplained = 0;
        std::uint64_t first_record = 0;  // of the unexplained ones
        std::string first{};             // the same one, as a sentence
    };
    [[nodiscard]] const std::vector<SiteCount>& sites() const { return counts_; }

  private:
    // An accumulator of a thread. If its sums were not recorded, it has two possible values: with
    // products rounded before they are added, or fused (FMA). `known` is false if they cannot be
    // computed.
    struct Sum {
        std::uint64_t block = 0;  // the block that used it last
        float unfused = 0, fused = 0;
        bool known = false;
        bool stored = false;  // C was stored since the last multiply-add: the sum may begin again
    };

    void begin_block();
    void add_segment(std::size_t segment);
    // The element of A, B or C at a byte offset of its array. nullopt: padding, another array, or
    // a matrix that is not of floats.
    [[nodiscard]] std::optional<std::size_t> element_at(ArrayId id, std::uint32_t offset) const;
    [[nodiscard]] SharedState::Content content(const Site& site, std::uint32_t lane,
                                               std::uint32_t offset) const;
    void load(std::uint64_t record, const Site& site);
    void copy_load(std::uint64_t record);
    // Zeros that a bulk copy stores for elements outside the matrix have no load.
    void copy_store(std::uint64_t record, const std::uint32_t* values);
    void store(std::uint64_t record, const Site& site, const std::uint32_t* values);
    [[nodiscard]] WarpRegisters::Verdict explain(std::uint32_t lane, float value);
    [[nodiscard]] Sum& sum_of(std::uint32_t lane, std::uint32_t accumulator);
    // The sum of an accumulator in this block; it begins with 0.
    [[nodiscard]] Sum& current_sum(std::uint32_t lane, std::uint32_t accumulator);
    void multiply_add(std::uint64_t record, const std::uint32_t* values);
    // For a multiply-add whose sum was not recorded: computes it if the operands are known.
    void compute_sum(std::uint32_t mask, std::uint32_t accumulator);
    void count(std::uint64_t record, WarpRegisters::Verdict verdict, std::uint32_t lane,
               const char* does, float value);

    const Trace& trace_;
    bool is_of_clusters_;  // other blocks may store to the shared memory of a block
    const MatrixProduct matrices_ = matrices_of(trace_);
    const MatrixElements a_ = matrix_of(trace_, MatrixRole::kA),
                         b_ = matrix_of(trace_, MatrixRole::kB);
    SharedState shared_;
    ProductState product_;
    std::vector<WarpRegisters> warps_;
    std::vector<bool> loads_c_ = std::vector<bool>(trace_.launch.warps());  // by warp
    std::vector<Sum> sums_;  // [thread * accumulators + accumulator]
    std::vector<SiteCount> counts_ = std::vector<SiteCount>(trace_.sites.size());
    std::vector<SharedState::Content>
        copied_;  // loaded by the copy, in the order of its store's values
    std::string false_copy_;
    std::uint64_t block_ = 0, value_ = 0;
    std::size_t segment_ = 0;
    std::uint32_t accumulators_used_ = 0;
    std::uint16_t warp_ = 0;
};

}  // namespace tilereel

#pragma once
// What an optimising compiler leaves of a function's arithmetic, as far as its statements say.
//
// The statements are those of the source, before any optimisation. nvcc drops or moves three kinds,
// and none of them may be counted where it stands:
//
//   in[(y + j) * width + x]   sums and constant factors of an address: part of the load, or added
//                             once for a whole unrolled loop
//   for (j = 0; j < 32; ++j)  the count of such a loop: it is unrolled
//   sum / width               the same in each trip: computed before the loop
//   s = 128; s > 0; s /= 2    each trip knows s: what follows from it alone is a constant
#include <map>
#include <set>
#include <vector>

#include "../gcc.h"

namespace tilereel::runtime {

class ValueFlow {
  public:
    using LoopPointer = decltype(basic_block_def::loop_father);
    // Loops must be known (loop_optimizer_init). `blocks`: as blocks_in_order() gives them.
    ValueFlow(function* function, const std::vector<basic_block>& blocks);

    // Whether the result is more than a part of an address.
    [[nodiscard]] bool is_value(tree result) const { return values_.count(result) != 0; }
    // The count of a loop, or the comparison of that count.
    [[nodiscard]] bool counts_trips(gimple* statement) const {
        return trip_counts_.count(statement) != 0;
    }
    // The block in which the statement is computed: its own, or one before a loop.
    [[nodiscard]] basic_block computed_in(gimple* statement) const;
    // Whether the operand is the same in all trips of the loop in which it is used, or known for
    // each trip of a loop around it.
    [[nodiscard]] bool is_computed_before(tree operand) const;
    // How many of it a block before unrolled loops computes.
    [[nodiscard]] size_t copies_of(tree result) const;
    // The values of a register or constant, by trip of an unrolled loop; null: not known.
    [[nodiscard]] const std::vector<long>* known_values(tree operand) const;

    // How an access finds its address: the numbers of AddressKind in
    // instrumentation/trace/arithmetic.h.
    enum Address { kLinear = 0, kComputed = 1, kLoaded = 2 };
    // `loop`: the innermost one around the access.
    [[nodiscard]] Address address_of(tree reference, LoopPointer loop) const;

  private:
    struct Definition {
        gimple* statement;
        basic_block block;
    };
    void note_definitions();
    void find_values();
    bool add_values_of(gimple* statement);
    void find_trip_counts();
    void find_count_of(LoopPointer loop);
    bool is_step(tree counter, LoopPointer loop, gimple*& step) const;
    void hoist();
    void find_known_values();
    void know_counter(LoopPointer loop, tree counter, gimple* step, gimple* condition);
    bool know_result(gimple* statement);
    Address address_through(tree operand, LoopPointer loop, std::set<tree>& seen) const;
    LoopPointer varies_in(tree operand, LoopPointer loop) const;

    const std::vector<basic_block>& blocks_;
    std::map<tree, std::vector<Definition>> definitions_;
    std::set<tree> values_;
    std::set<gimple*> trip_counts_;
    std::map<gimple*, basic_block> hoisted_;
    std::map<tree, std::vector<long>> known_;
    std::map<tree, size_t> copies_;
};

// Whether the statement is only a sum, a constant factor or a conversion of integers or pointers.
bool is_linear(gimple* statement);

}  // namespace tilereel::runtime

#pragma once
// Gives each site of a function the instructions that a warp carries out for what stands before it.
//
// A hook for each operation would make a recording many times slower. But the statements between
// two hooks of a basic block run exactly as often as the second of them. So their instructions are
// constants of that site, and the number of its records says how often they ran.
//
//   v = 2 * u * v + b;    a product, then a multiply-add: its site has the product
//   u = w;
//   ++turns;              a sum: the site of the assignment, or of the block's next record
//
// A block without a record, such as the condition of a loop, gives its instructions to the nearest
// block of the same loop that has one.
#include <map>
#include <set>
#include <vector>

#include "../gcc.h"
#include "statement_costs.h"

namespace tilereel::runtime {

// How surely a site has records. Assignments to locals are not recorded beyond the budget of
// values, or at all for the ladder.
enum class RecordedSite { kAlways, kAssignment };

class ArithmeticOfSites {
  public:
    // Before hooks are placed.
    ArithmeticOfSites(function* function, const std::vector<basic_block>& blocks);

    // What follows is of this statement; in the order of the block.
    void at(basic_block block, gimple* statement);
    // A site was made in the current block; `data`: its descriptor.
    void note_site(tree data, RecordedSite recorded);
    // How the access of `reference` in the current block finds its address.
    [[nodiscard]] unsigned address_of(tree reference) const;
    // Writes the instructions into the descriptors.
    void settle();

  private:
    struct Carrier {
        tree data;
        RecordedSite recorded;
        InstructionCounts counts;
    };
    struct OfBlock {
        std::vector<Carrier> carriers;
        InstructionCounts rest;  // after the last site, or moved here out of a loop
    };
    void note_chain(gimple* statement, const InstructionCounts* counts);
    void keep_sure_ones(OfBlock& of) const;
    basic_block nearest_with_sites(basic_block from) const;

    const std::vector<basic_block> blocks_;
    const ValueFlow flow_;
    const StatementCosts costs_;
    std::map<basic_block, OfBlock> of_blocks_;
    basic_block block_ = NULL;
    // Of the block: when each result is there, the last of them, and that up to the last site.
    std::map<tree, unsigned> ready_;
    unsigned last_ready_ = 0, told_ = 0;
};

}  // namespace tilereel::runtime

#include "arithmetic_of_sites.h"

#include <algorithm>

#include "../descriptors.h"
#include "registers_of.h"

namespace tilereel::runtime {

ArithmeticOfSites::ArithmeticOfSites(function* function, const std::vector<basic_block>& blocks)
    : blocks_(blocks),
      flow_(function, blocks_),
      costs_(costs_of_statements(function, blocks_, flow_)) {
    for (const auto& [statement, counts] : costs_) {
        basic_block in = flow_.computed_in(statement);
        if (in == gimple_bb(statement)) continue;
        for (size_t i = flow_.copies_of(gimple_get_lhs(statement)); i != 0; --i)
            of_blocks_[in].rest += counts;
    }
}

void ArithmeticOfSites::at(basic_block block, gimple* statement) {
    if (block_ != block) {
        ready_.clear();
        last_ready_ = told_ = 0;
    }
    block_ = block;
    if (flow_.computed_in(statement) != block) return;
    const auto found = costs_.find(statement);
    note_chain(statement, found == costs_.end() ? nullptr : &found->second);
    if (found != costs_.end()) of_blocks_[block].rest += found->second;
}

// Multiply-adds are records, which take their own time.
void ArithmeticOfSites::note_chain(gimple* statement, const InstructionCounts* counts) {
    tree result = gimple_get_lhs(statement);
    if (!result || !is_register_operand(result)) return;
    unsigned begin = 0;
    visit_operands(statement, [&](tree operand) {
        const auto known = ready_.find(operand);
        if (known != ready_.end()) begin = std::max(begin, known->second);
    });
    const unsigned clocks = counts ? counts->in_a_chain() : 0;
    ready_[result] = begin + clocks;
    last_ready_ = std::max(last_ready_, begin + clocks);
}

unsigned ArithmeticOfSites::address_of(tree reference) const {
    return block_ ? flow_.address_of(reference, block_->loop_father) : ValueFlow::kLinear;
}

void ArithmeticOfSites::note_site(tree data, RecordedSite recorded) {
    if (!block_) return;
    OfBlock& of = of_blocks_[block_];
    of.rest.clocks += last_ready_ - told_;
    told_ = last_ready_;
    of.carriers.push_back({data, recorded, of.rest});
    of.rest = {};
}

// Where a site is recorded always, assignments carry nothing; else the last one carries all.
void ArithmeticOfSites::keep_sure_ones(OfBlock& of) const {
    std::vector<Carrier>& carriers = of.carriers;
    const bool any = std::any_of(carriers.begin(), carriers.end(), [](const Carrier& each) {
        return each.recorded == RecordedSite::kAlways;
    });
    InstructionCounts moved;
    std::vector<Carrier> kept;
    for (size_t i = 0; i < carriers.size(); ++i) {
        Carrier& carrier = carriers[i];
        carrier.counts += moved;
        moved = {};
        if (any ? carrier.recorded == RecordedSite::kAlways : i + 1 == carriers.size())
            kept.push_back(carrier);
        else
            moved = carrier.counts;
    }
    carriers = kept;
    of.rest += moved;
}

// By edges either way: of the same loop if there is one, else of a loop around. Null: what runs
// once is not worth telling if only inner loops have records.
basic_block ArithmeticOfSites::nearest_with_sites(basic_block from) const {
    std::vector<basic_block> reached{from};
    std::set<basic_block> seen{from};
    basic_block outside = NULL;
    for (size_t i = 0; i < reached.size(); ++i) {
        basic_block at = reached[i];
        const auto found = of_blocks_.find(at);
        if (found != of_blocks_.end() && !found->second.carriers.empty()) {
            if (at->loop_father == from->loop_father) return at;
            if (!outside && loop_depth(at->loop_father) < loop_depth(from->loop_father))
                outside = at;
        }
        const auto reach = [&](basic_block next) {
            if (next->index >= NUM_FIXED_BLOCKS && seen.insert(next).second)
                reached.push_back(next);
        };
        edge e;
        edge_iterator it;
        FOR_EACH_EDGE(e, it, at->succs) reach(e->dest);
        FOR_EACH_EDGE(e, it, at->preds) reach(e->src);
    }
    return outside;
}

void ArithmeticOfSites::settle() {
    for (auto& [block, of] : of_blocks_) keep_sure_ones(of);
    for (auto& [block, of] : of_blocks_) {
        if (!of.rest.any()) continue;
        basic_block target = of.carriers.empty() ? nearest_with_sites(block) : block;
        if (target) of_blocks_[target].carriers.back().counts += of.rest;
        of.rest = {};
    }
    for (const auto& [block, of] : of_blocks_)
        for (const Carrier& carrier : of.carriers)
            if (carrier.counts.any()) Descriptors::set_instructions(carrier.data, carrier.counts);
}

}  // namespace tilereel::runtime

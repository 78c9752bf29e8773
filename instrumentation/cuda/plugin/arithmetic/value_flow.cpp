#include "value_flow.h"

#include <algorithm>

#include "registers_of.h"

namespace tilereel::runtime {
namespace {

bool is_whole(tree type) { return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type); }

bool is_pure(gimple* statement) {
    if (!is_gimple_assign(statement)) return false;
    if (!is_register_operand(gimple_assign_lhs(statement)) || gimple_has_volatile_ops(statement))
        return false;
    return !gimple_assign_load_p(statement) && !gimple_vuse(statement);
}

// The block from which a loop is entered; null if there are several.
basic_block block_before(ValueFlow::LoopPointer loop) {
    basic_block before = NULL;
    edge e;
    edge_iterator it;
    FOR_EACH_EDGE(e, it, loop->header->preds) {
        if (flow_bb_inside_loop_p(loop, e->src)) continue;
        if (before) return NULL;
        before = e->src;
    }
    return before && before->index >= NUM_FIXED_BLOCKS ? before : NULL;
}

}  // namespace

bool is_linear(gimple* statement) {
    if (!is_gimple_assign(statement) || !is_whole(TREE_TYPE(gimple_assign_lhs(statement))))
        return false;
    tree first = gimple_assign_rhs1(statement), second = gimple_assign_rhs2(statement);
    switch (gimple_assign_rhs_code(statement)) {
        case PLUS_EXPR:
        case MINUS_EXPR:
        case POINTER_PLUS_EXPR:
        case NEGATE_EXPR:
            return true;
        case MULT_EXPR:
        case LSHIFT_EXPR:
            return TREE_CODE(second) == INTEGER_CST || TREE_CODE(first) == INTEGER_CST;
        CASE_CONVERT:
            return is_whole(TREE_TYPE(first));
        default:
            return gimple_assign_single_p(statement);
    }
}

ValueFlow::ValueFlow(function*, const std::vector<basic_block>& blocks) : blocks_(blocks) {
    note_definitions();
    find_values();
    find_trip_counts();
    find_known_values();
    hoist();
}

void ValueFlow::note_definitions() {
    for (basic_block bb : blocks_)
        for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
            tree result = gimple_get_lhs(gsi_stmt(at));
            if (!result) continue;
            tree base = is_register_operand(result) ? result : get_base_address(result);
            if (is_register_operand(base)) definitions_[base].push_back({gsi_stmt(at), bb});
        }
}

// Backwards from what is compared, stored, passed on, or no longer linear.
void ValueFlow::find_values() {
    for (bool more = true; more;) {
        more = false;
        for (auto bb = blocks_.rbegin(); bb != blocks_.rend(); ++bb)
            for (gimple_stmt_iterator at = gsi_last_bb(*bb); !gsi_end_p(at); gsi_prev(&at))
                more |= add_values_of(gsi_stmt(at));
    }
}

bool ValueFlow::add_values_of(gimple* statement) {
    if (is_gimple_debug(statement) || gimple_clobber_p(statement)) return false;
    bool more = false;
    const auto add = [&](tree operand) { more |= values_.insert(operand).second; };
    if (is_gimple_assign(statement) && is_linear(statement)) {
        tree result = gimple_assign_lhs(statement);
        if (is_register_operand(result) && !is_value(result)) return false;
    }
    visit_operands(statement, [&](tree operand) {
        if (is_register_operand(operand) && !POINTER_TYPE_P(TREE_TYPE(operand))) add(operand);
    });
    return more;
}

void ValueFlow::find_trip_counts() {
    std::set<LoopPointer> seen;
    for (basic_block bb : blocks_)
        for (LoopPointer loop = bb->loop_father; loop && loop_outer(loop); loop = loop_outer(loop))
            if (seen.insert(loop).second) find_count_of(loop);
}

// Whether the counter changes in the loop at one place only, by what does not change in it.
bool ValueFlow::is_step(tree counter, LoopPointer loop, gimple*& step) const {
    const auto found = definitions_.find(counter);
    if (found == definitions_.end()) return false;
    step = NULL;
    for (const Definition& definition : found->second) {
        if (!flow_bb_inside_loop_p(loop, definition.block)) continue;
        if (step || !is_gimple_assign(definition.statement)) return false;
        step = definition.statement;
    }
    return step && gimple_num_ops(step) > 2;
}

// The comparison at the only way out of a loop, and the step of what it compares.
void ValueFlow::find_count_of(LoopPointer loop) {
    gimple* condition = NULL;
    for (basic_block bb : blocks_) {
        if (!flow_bb_inside_loop_p(loop, bb)) continue;
        edge e;
        edge_iterator it;
        FOR_EACH_EDGE(e, it, bb->succs) {
            if (flow_bb_inside_loop_p(loop, e->dest)) continue;
            gimple* last = last_stmt(bb);
            if (condition || !last || gimple_code(last) != GIMPLE_COND) return;
            condition = last;
        }
    }
    if (!condition) return;
    for (tree side : {gimple_cond_lhs(condition), gimple_cond_rhs(condition)}) {
        // Behind conversions: `i < blockDim.x` compares an unsigned copy of i.
        for (int i = 0; i < 3 && is_register_operand(side); ++i) {
            gimple* step = NULL;
            if (is_step(side, loop, step)) {
                trip_counts_.insert(condition);
                trip_counts_.insert(step);
                know_counter(loop, side, step, condition);
                return;
            }
            const auto found = definitions_.find(side);
            if (found == definitions_.end() || found->second.size() != 1) break;
            gimple* const copy = found->second[0].statement;
            if (!is_gimple_assign(copy) || gimple_num_ops(copy) != 2) break;
            side = gimple_assign_rhs1(copy);
        }
    }
}

// The innermost loop around, `loop` included, in which the operand changes.
ValueFlow::LoopPointer ValueFlow::varies_in(tree operand, LoopPointer loop) const {
    const auto found = definitions_.find(operand);
    for (; loop && loop_outer(loop); loop = loop_outer(loop)) {
        if (found == definitions_.end()) continue;
        for (const Definition& definition : found->second) {
            const auto moved = hoisted_.find(definition.statement);
            basic_block at = moved == hoisted_.end() ? definition.block : moved->second;
            if (flow_bb_inside_loop_p(loop, at)) return loop;
        }
    }
    return loop;
}

void ValueFlow::hoist() {
    for (basic_block bb : blocks_) {
        LoopPointer own = bb->loop_father;
        if (!own || !loop_outer(own)) continue;
        for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
            gimple* statement = gsi_stmt(at);
            if (!is_pure(statement)) continue;
            const auto known = definitions_.find(gimple_assign_lhs(statement));
            if (known == definitions_.end() || known->second.size() != 1) continue;
            LoopPointer target = NULL;
            bool constant = true;
            size_t copies = 1;
            visit_operands(statement, [&](tree operand) {
                visit_registers(operand, [&](tree each) {
                    constant = false;
                    copies = std::max(copies, copies_of(each));
                    if (known_.count(each)) return;
                    LoopPointer in = varies_in(each, own);
                    if (!target || (in && loop_depth(in) > loop_depth(target))) target = in;
                });
            });
            if (constant || !target || target == own) continue;
            LoopPointer inner = own;
            while (loop_outer(inner) && loop_outer(inner) != target) inner = loop_outer(inner);
            basic_block before = block_before(inner);
            if (!before) continue;
            hoisted_[statement] = before;
            if (copies > 1) copies_[gimple_assign_lhs(statement)] = copies;
        }
    }
}

// One for each trip of an unrolled loop, whose counter it needs.
size_t ValueFlow::copies_of(tree result) const {
    const auto known = known_.find(result);
    if (known != known_.end()) return known->second.size();
    const auto found = copies_.find(result);
    return found == copies_.end() ? 1 : found->second;
}

basic_block ValueFlow::computed_in(gimple* statement) const {
    const auto found = hoisted_.find(statement);
    return found == hoisted_.end() ? gimple_bb(statement) : found->second;
}

bool ValueFlow::is_computed_before(tree operand) const {
    const auto found = definitions_.find(operand);
    return found != definitions_.end() && found->second.size() == 1 &&
           hoisted_.count(found->second[0].statement) != 0;
}

}  // namespace tilereel::runtime

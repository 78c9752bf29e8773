// Values that a compiler knows in each trip of a loop that it unrolls, and how addresses are found.
#include "../references.h"
#include "registers_of.h"
#include "value_flow.h"

namespace tilereel::runtime {
namespace {

// Loops of more trips are unrolled in part, so that their counter is no constant.
constexpr unsigned kMostTrips = 64;

bool is_whole_constant(tree value) {
    return value && TREE_CODE(value) == INTEGER_CST && tree_fits_shwi_p(value);
}

// False: not an operation that is known here.
bool computed(tree_code code, long a, long b, long& result) {
    switch (code) {
        case PLUS_EXPR:
        case POINTER_PLUS_EXPR:
            return result = a + b, true;
        case MINUS_EXPR:
            return result = a - b, true;
        case MULT_EXPR:
            return !__builtin_mul_overflow(a, b, &result);
        case TRUNC_DIV_EXPR:
        case EXACT_DIV_EXPR:
            return b != 0 && (result = a / b, true);
        case TRUNC_MOD_EXPR:
            return b != 0 && (result = a % b, true);
        case LSHIFT_EXPR:
            return b >= 0 && b < 32 && !__builtin_mul_overflow(a, 1l << b, &result);
        case RSHIFT_EXPR:
            return b >= 0 && b < 64 && (result = a >> b, true);
        case BIT_AND_EXPR:
            return result = a & b, true;
        case BIT_IOR_EXPR:
            return result = a | b, true;
        case BIT_XOR_EXPR:
            return result = a ^ b, true;
        default:
            return false;
    }
}

bool holds(tree_code code, long a, long b) {
    switch (code) {
        case LT_EXPR:
            return a < b;
        case LE_EXPR:
            return a <= b;
        case GT_EXPR:
            return a > b;
        case GE_EXPR:
            return a >= b;
        case NE_EXPR:
            return a != b;
        default:
            return false;
    }
}

// Also one of a row and a width that only the launch knows.
bool is_product(gimple* statement) {
    return is_gimple_assign(statement) && gimple_assign_rhs_code(statement) == MULT_EXPR;
}

}  // namespace

const std::vector<long>* ValueFlow::known_values(tree operand) const {
    const auto found = known_.find(operand);
    return found == known_.end() ? nullptr : &found->second;
}

// The counter of a loop that begins, steps and ends at constants.
void ValueFlow::know_counter(LoopPointer loop, tree counter, gimple* step, gimple* condition) {
    const auto found = definitions_.find(counter);
    if (found == definitions_.end() || found->second.size() != 2) return;
    long value = 0;
    bool begins = false;
    for (const Definition& definition : found->second) {
        if (definition.statement == step) continue;
        if (!gimple_assign_single_p(definition.statement)) return;
        tree first = gimple_assign_rhs1(definition.statement);
        if (!is_whole_constant(first) || flow_bb_inside_loop_p(loop, definition.block)) return;
        value = tree_to_shwi(first);
        begins = true;
    }
    tree by = gimple_assign_rhs2(step), limit = gimple_cond_rhs(condition);
    if (!begins || gimple_assign_rhs1(step) != counter || !is_whole_constant(by) ||
        !is_whole_constant(limit))
        return;
    // The edge that stays in the loop may be that of the comparison or of its opposite.
    edge e;
    edge_iterator it;
    bool stays_if_true = true;
    FOR_EACH_EDGE(e, it, gimple_bb(condition)->succs)
    if (e->flags & EDGE_TRUE_VALUE) stays_if_true = flow_bb_inside_loop_p(loop, e->dest);
    std::vector<long> values;
    while (holds(gimple_cond_code(condition), value, tree_to_shwi(limit)) == stays_if_true) {
        values.push_back(value);
        if (values.size() > kMostTrips ||
            !computed(gimple_assign_rhs_code(step), value, tree_to_shwi(by), value))
            return;
    }
    if (!values.empty()) known_[counter] = values;
}

bool ValueFlow::know_result(gimple* statement) {
    if (!is_gimple_assign(statement) || gimple_assign_load_p(statement)) return false;
    tree result = gimple_assign_lhs(statement);
    if (!is_register_operand(result) || known_.count(result)) return false;
    const auto definition = definitions_.find(result);
    if (definition == definitions_.end() || definition->second.size() != 1) return false;
    const std::vector<long>* values[2] = {};
    std::vector<long> constants[2];
    size_t trips = 0;
    const unsigned operands = gimple_num_ops(statement) - 1;
    if (operands == 0 || operands > 2) return false;
    for (unsigned i = 0; i < operands; ++i) {
        tree operand = gimple_op(statement, i + 1);
        if (CONSTANT_CLASS_P(operand)) {
            constants[i].assign(1, is_whole_constant(operand) ? tree_to_shwi(operand) : 0);
            values[i] = &constants[i];
        } else if (!(values[i] = known_values(operand))) {
            return false;
        } else if (trips != 0 && values[i]->size() != trips) {
            return false;
        } else {
            trips = values[i]->size();
        }
    }
    if (trips == 0) return false;
    std::vector<long> results;
    for (size_t trip = 0; trip < trips; ++trip) {
        const auto of = [&](unsigned i) {
            return values[i]->size() == 1 ? (*values[i])[0] : (*values[i])[trip];
        };
        long value = of(0);
        if (operands == 2 && !computed(gimple_assign_rhs_code(statement), of(0), of(1), value))
            value = 0;
        results.push_back(value);
    }
    known_[result] = results;
    return true;
}

void ValueFlow::find_known_values() {
    if (known_.empty()) return;
    for (bool more = true; more;) {
        more = false;
        for (basic_block bb : blocks_)
            for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
                more |= know_result(gsi_stmt(at));
    }
}

ValueFlow::Address ValueFlow::address_of(tree reference, LoopPointer loop) const {
    Address kind = kLinear;
    std::set<tree> seen;
    visit_registers(reference, [&](tree operand) {
        kind = std::max(kind, address_through(operand, loop, seen));
    });
    return kind;
}

// What is the same in all trips of the innermost loop does not keep loads apart.
ValueFlow::Address ValueFlow::address_through(tree operand, LoopPointer loop,
                                              std::set<tree>& seen) const {
    if (!seen.insert(operand).second || known_.count(operand)) return kLinear;
    const auto found = definitions_.find(operand);
    if (found == definitions_.end()) return kLinear;
    Address kind = kLinear;
    for (const Definition& definition : found->second) {
        gimple* const statement = definition.statement;
        if (gimple_assign_load_p(statement) && is_memory(gimple_assign_rhs1(statement))) {
            tree base = get_base_address(gimple_assign_rhs1(statement));
            if (is_built_in(base)) continue;
            if (!is_local(base)) return kLoaded;
        }
        const auto moved = hoisted_.find(statement);
        basic_block in = moved == hoisted_.end() ? definition.block : moved->second;
        const bool varies = loop && loop_outer(loop) && flow_bb_inside_loop_p(loop, in);
        const bool is_sum = is_linear(statement) || is_product(statement);
        if (is_gimple_assign(statement) && !is_sum && varies) kind = std::max(kind, kComputed);
        visit_operands(statement, [&](tree each) {
            visit_registers(
                each, [&](tree part) { kind = std::max(kind, address_through(part, loop, seen)); });
        });
    }
    return kind;
}

}  // namespace tilereel::runtime

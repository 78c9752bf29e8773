#include "statement_costs.h"

#include <set>
#include <string>

#include "../references.h"
#include "function_costs.h"
#include "registers_of.h"

namespace tilereel::runtime {
namespace {

bool is_floating(tree type) { return TREE_CODE(type) == REAL_TYPE; }
bool is_double(tree type) { return is_floating(type) && TYPE_PRECISION(type) > 32; }
bool is_wide(tree type) { return INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) > 32; }

constexpr InstructionCounts alu(unsigned count) { return instructions(0, 0, count); }

class CostsOfBlock {
  public:
    CostsOfBlock(const ValueFlow& flow, StatementCosts& costs) : flow_(flow), costs_(costs) {}

    void add(gimple* statement) {
        if (gimple_clobber_p(statement) || is_gimple_debug(statement)) return;
        if (flow_.counts_trips(statement)) return;
        if (tree result = gimple_get_lhs(statement))
            if (flow_.known_values(result)) return;
        InstructionCounts counts;
        if (is_gimple_assign(statement))
            counts = of_assignment(statement);
        else if (is_gimple_call(statement))
            counts = of_call(statement);
        else if (gimple_code(statement) == GIMPLE_COND)
            counts = of_condition(statement);
        else if (gimple_code(statement) == GIMPLE_SWITCH)
            counts = instructions(0, 0, 2, 0, 0, 1);
        if (counts.any()) costs_[statement] = counts;
    }

  private:
    InstructionCounts of_assignment(gimple* statement) {
        tree result = gimple_assign_lhs(statement);
        tree type = TREE_TYPE(result);
        sums_.erase(result);
        products_.erase(result);
        if (is_floating(type)) return of_floating(statement, type);
        if (COMPARISON_CLASS_P(gimple_assign_rhs1(statement)) ||
            TREE_CODE_CLASS(gimple_assign_rhs_code(statement)) == tcc_comparison)
            return of_comparison(TREE_TYPE(gimple_assign_rhs1(statement)), statement);
        if (INTEGRAL_TYPE_P(type)) return of_integer(statement, type);
        return {};
    }

    // A comparison that only a branch needs is the branch's.
    InstructionCounts of_comparison(tree type, gimple*) const {
        if (is_double(type)) return instructions(0, 0, 0, 0, 1);
        return alu(is_wide(type) ? 2 : 1);
    }

    InstructionCounts of_floating(gimple* statement, tree type) {
        tree result = gimple_assign_lhs(statement);
        tree first = gimple_assign_rhs1(statement), second = gimple_assign_rhs2(statement);
        const InstructionCounts one =
            is_double(type) ? instructions(0, 0, 0, 0, 1) : instructions(1);
        switch (gimple_assign_rhs_code(statement)) {
            case MULT_EXPR:
                products_[result] = statement;
                return one;
            case PLUS_EXPR:
            case MINUS_EXPR:
                return joins_product(first) || joins_product(second) ? InstructionCounts{} : one;
            case RDIV_EXPR:
                return is_power_of_two(second) ? one : instructions_of_division(is_double(type));
            case FLOAT_EXPR:  // I2FP, but for those that XU converts
                return is_double(type) || is_wide(TREE_TYPE(first)) ? instructions(0, 0, 0, 1)
                                                                    : alu(1);
            case MAX_EXPR:
            case MIN_EXPR:
                return is_double(type) ? instructions(0, 0, 2, 0, 1) : alu(1);
            case COND_EXPR:
                return alu(is_double(type) ? 3 : 2);
            CASE_CONVERT:
                if (is_floating(TREE_TYPE(first)) && is_double(TREE_TYPE(first)) != is_double(type))
                    return instructions(0, 0, 0, 1);
                return {};
            default:
                return {};  // signs are modifiers of operands, copies are no instructions
        }
    }

    InstructionCounts of_integer(gimple* statement, tree type) {
        tree result = gimple_assign_lhs(statement);
        tree first = gimple_assign_rhs1(statement), second = gimple_assign_rhs2(statement);
        const unsigned words = is_wide(type) ? 2 : 1;
        const bool counts = !is_linear(statement) || flow_.is_value(result);
        switch (gimple_assign_rhs_code(statement)) {
            case PLUS_EXPR:
            case MINUS_EXPR: {
                if (!counts) return {};
                if (joins_product(first) || joins_product(second)) return instructions(0, 1);
                // Three summands are one instruction.
                if (sums_.erase(first) + sums_.erase(second) != 0) return {};
                sums_.insert(result);
                return alu(words);
            }
            case MULT_EXPR:
                if (!counts || is_step_of_address(result, first, second)) return {};
                if (is_power_of_two(second)) return alu(words);
                products_[result] = statement;
                return instructions(0, words == 2 ? 4 : 1);
            case TRUNC_DIV_EXPR:
            case FLOOR_DIV_EXPR:
            case EXACT_DIV_EXPR:
                return of_integer_division(second, type, false);
            case TRUNC_MOD_EXPR:
            case FLOOR_MOD_EXPR:
                return of_integer_division(second, type, true);
            case LSHIFT_EXPR:
                return counts ? alu(words) : InstructionCounts{};
            case RSHIFT_EXPR:
            case BIT_AND_EXPR:
            case BIT_XOR_EXPR:
            case BIT_IOR_EXPR:
            case LROTATE_EXPR:
            case RROTATE_EXPR:
            case MAX_EXPR:
            case MIN_EXPR:
            case ABS_EXPR:
                return alu(words);
            case BIT_NOT_EXPR:
            case NEGATE_EXPR:
                return {};  // part of the next instruction
            case COND_EXPR:
                return alu(words + 1);
            case FIX_TRUNC_EXPR:
                return instructions(0, 0, 0, 1);
            default:
                return {};
        }
    }

    // Of floating-point numbers also 1/2, 1/4, ...: what divides by it multiplies by its inverse.
    static bool is_power_of_two(tree constant) {
        if (!constant || TREE_CODE(constant) == INTEGER_CST)
            return constant && integer_pow2p(constant);
        REAL_VALUE_TYPE inverse;
        if (TREE_CODE(constant) != REAL_CST) return false;
        inverse = TREE_REAL_CST(constant);
        return exact_real_inverse(TYPE_MODE(TREE_TYPE(constant)), &inverse);
    }

    // `k * width` of an unrolled loop: the width is added once more in each trip.
    bool is_step_of_address(tree result, tree first, tree second) const {
        return !flow_.is_value(result) && (flow_.known_values(first) || flow_.known_values(second));
    }

    InstructionCounts of_integer_division(tree divisor, tree type, bool is_remainder) const {
        const bool is_signed = !TYPE_UNSIGNED(type);
        const unsigned words = is_wide(type) ? 2 : 1;
        if (const std::vector<long>* values = flow_.known_values(divisor)) {
            for (const long value : *values)
                if (value <= 0 || (value & (value - 1)) != 0) return instructions(0, 2, 2);
            return alu(is_signed && is_remainder ? 4 : 1);
        }
        if (is_power_of_two(divisor))
            return alu(words * ((is_signed ? 3 : 1) + (is_signed && is_remainder ? 1 : 0)));
        if (TREE_CODE(divisor) == INTEGER_CST) {
            InstructionCounts counts = instructions(0, words == 2 ? 6 : 1, is_signed ? 2 : 1);
            if (is_remainder) counts += instructions(0, words == 2 ? 4 : 1);
            return counts;
        }
        return instructions_of_integer_division(is_remainder, is_signed, is_wide(type));
    }

    InstructionCounts of_condition(gimple* statement) {
        const auto known = [&](tree side) {
            return CONSTANT_CLASS_P(side) || flow_.known_values(side);
        };
        if (known(gimple_cond_lhs(statement)) && known(gimple_cond_rhs(statement))) return {};
        tree type = TREE_TYPE(gimple_cond_lhs(statement));
        InstructionCounts counts = instructions(0, 0, 0, 0, 0, 1);
        // `if (kept)`: the comparison stands before. So does that of what a trip does not change:
        // its predicate is kept. Where it is another one in each trip of a loop that is unrolled,
        // only a loop around it makes use of that.
        const bool in_outer_loop = loop_depth(gimple_bb(statement)->loop_father) > 1;
        const auto is_kept = [&](tree operand) {
            return flow_.is_computed_before(operand) &&
                   (in_outer_loop || flow_.copies_of(operand) <= 1);
        };
        const bool again = TREE_CODE(type) == BOOLEAN_TYPE || is_kept(gimple_cond_lhs(statement)) ||
                           is_kept(gimple_cond_rhs(statement));
        if (!again) counts += of_comparison(type, statement);
        return counts;
    }

    // The function by its name; those of the runtime and of the user's device code count nothing
    // here.
    InstructionCounts of_call(gimple* statement) {
        tree callee = gimple_call_fndecl(statement);
        if (gimple_call_internal_p(statement)) {
            tree result = gimple_call_lhs(statement);
            if (!result || gimple_call_internal_fn(statement) != IFN_UBSAN_CHECK_MUL) return {};
            return instructions(0, 1);
        }
        if (!callee || !DECL_NAME(callee)) return {};
        std::string name = IDENTIFIER_POINTER(DECL_NAME(callee));
        for (const char* prefix : {"__builtin_", "__nv_"})
            if (name.rfind(prefix, 0) == 0) name = name.substr(std::string(prefix).size());
        tree type = TREE_TYPE(TREE_TYPE(callee));
        // __sincosf() returns nothing: its argument tells.
        if (VOID_TYPE_P(type) && gimple_call_num_args(statement) > 0)
            type = TREE_TYPE(gimple_call_arg(statement, 0));
        InstructionCounts counts;
        if (instructions_of_function(name, is_double(type), counts)) return counts;
        if (!name.empty() && name.back() == 'f' &&
            instructions_of_function(name.substr(0, name.size() - 1), false, counts))
            return counts;
        return {};
    }

    // Whether the operand is a product that becomes a part of a multiply-add. It then is no
    // instruction of its own.
    bool joins_product(tree operand) {
        const auto found = products_.find(operand);
        if (found == products_.end()) return false;
        costs_.erase(found->second);
        if (INTEGRAL_TYPE_P(TREE_TYPE(operand))) products_.erase(found);
        return true;
    }

    const ValueFlow& flow_;
    StatementCosts& costs_;
    std::map<tree, gimple*> products_;  // temporaries of the block
    std::set<tree> sums_;
};

}  // namespace

StatementCosts costs_of_statements(function*, const std::vector<basic_block>& blocks,
                                   const ValueFlow& flow) {
    StatementCosts costs;
    for (basic_block bb : blocks) {
        CostsOfBlock of_block(flow, costs);
        for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
            of_block.add(gsi_stmt(at));
    }
    return costs;
}

}  // namespace tilereel::runtime

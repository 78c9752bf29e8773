#include "local_values.h"

#include "../references.h"

namespace tilereel::runtime {
namespace {

// The first number of a key. Codes of trees follow from kFirstCode on.
constexpr unsigned long kConstant = 0, kPlace = 1, kBuiltIn = 2, kFirstCode = 3;

unsigned long type_key(tree type) { return TYPE_UID(TYPE_MAIN_VARIANT(type)); }

bool is_register(tree operand) {
    return TREE_CODE(operand) == SSA_NAME ||
           (DECL_P(operand) && is_local(operand) && !TREE_ADDRESSABLE(operand) &&
            is_gimple_reg_type(TREE_TYPE(operand)));
}

}  // namespace

LocalValues::Number LocalValues::number_of(const Key& key) {
    Number& number = known_[key];
    if (number == 0) number = fresh();
    return number;
}

LocalValues::Number LocalValues::value(tree operand) {
    if (is_register(operand)) {
        Number& number = current_[operand];
        if (number == 0) number = fresh();
        return number;
    }
    if (TREE_CODE(operand) == INTEGER_CST && tree_fits_shwi_p(operand))
        return number_of({kConstant, type_key(TREE_TYPE(operand)),
                          static_cast<unsigned long>(tree_to_shwi(operand))});
    if (TREE_CODE(operand) == ADDR_EXPR)
        return number_of({kFirstCode + ADDR_EXPR, place(TREE_OPERAND(operand, 0))});
    if (is_memory(operand))
        if (tree base = get_base_address(operand); base && is_built_in(base))
            return number_of({kBuiltIn, place(operand)});
    return fresh();
}

LocalValues::Number LocalValues::place(tree reference) {
    const unsigned long code = kFirstCode + TREE_CODE(reference);
    switch (TREE_CODE(reference)) {
        case VAR_DECL:
        case PARM_DECL:
            return number_of({kPlace, DECL_UID(reference)});
        case MEM_REF:
            if (!tree_fits_shwi_p(TREE_OPERAND(reference, 1))) return fresh();
            return number_of({code, value(TREE_OPERAND(reference, 0)),
                              static_cast<unsigned long>(tree_to_shwi(TREE_OPERAND(reference, 1))),
                              type_key(TREE_TYPE(reference))});
        case COMPONENT_REF:
            return number_of(
                {code, place(TREE_OPERAND(reference, 0)), DECL_UID(TREE_OPERAND(reference, 1))});
        case ARRAY_REF:
            return number_of({code, place(TREE_OPERAND(reference, 0)),
                              value(TREE_OPERAND(reference, 1)), type_key(TREE_TYPE(reference))});
        default:
            return fresh();
    }
}

void LocalValues::note(gimple* statement) {
    tree target = gimple_get_lhs(statement);
    if (!target || !is_register(target)) return;
    Number number = 0;
    if (is_gimple_assign(statement)) {
        const tree_code code = gimple_assign_rhs_code(statement);
        tree first = gimple_assign_rhs1(statement);
        if (gimple_assign_single_p(statement)) {
            number = value(first);
        } else if (gimple_num_ops(statement) <= 3) {
            Key key{kFirstCode + code, type_key(TREE_TYPE(target)), value(first)};
            if (tree second = gimple_assign_rhs2(statement)) key.push_back(value(second));
            number = number_of(key);
        }
    }
    current_[target] = number != 0 ? number : fresh();
}

}  // namespace tilereel::runtime

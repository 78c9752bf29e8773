#pragma once
// The registers that a statement or a reference reads: locals and temporaries that are no memory.
#include "../gcc.h"

namespace tilereel::runtime {

inline bool is_register_operand(tree operand) {
    return operand && (TREE_CODE(operand) == SSA_NAME || TREE_CODE(operand) == PARM_DECL ||
                       (VAR_P(operand) && !is_global_var(operand)));
}

// Calls visit(register) for each register within the operand, also in indices of a reference.
template <class Visit>
void visit_registers(tree operand, Visit&& visit) {
    if (!operand) return;
    if (is_register_operand(operand)) return visit(operand);
    if (!EXPR_P(operand) && TREE_CODE(operand) != CONSTRUCTOR) return;
    if (!EXPR_P(operand)) return;
    for (int i = 0; i < TREE_OPERAND_LENGTH(operand); ++i)
        visit_registers(TREE_OPERAND(operand, i), visit);
}

// The operands that a statement reads; of an assignment to memory also the address.
template <class Visit>
void visit_operands(gimple* statement, Visit&& visit) {
    const unsigned first = is_gimple_assign(statement) || is_gimple_call(statement) ? 1 : 0;
    for (unsigned i = first; i < gimple_num_ops(statement); ++i) visit(gimple_op(statement, i));
}

}  // namespace tilereel::runtime

#pragma once
// The loads and stores of a basic block in order, and where they may not move.
#include "../references.h"
#include "joined_members.h"
#include "local_values.h"

namespace tilereel::runtime {

// Calls access(statement, reference, stores) for each load and each store of memory by an
// assignment, and close() where no access may move across: at an asm, at a call that does more than
// compute, and at the end. Each statement is noted in `values` behind its accesses.
template <class Access, class Close>
void for_each_access(basic_block bb, LocalValues& values, const Access& access,
                     const Close& close) {
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const statement = gsi_stmt(at);
        if (gimple_clobber_p(statement)) continue;
        if (is_gimple_assign(statement)) {
            if (gimple_assign_single_p(statement)) {
                tree source = gimple_assign_rhs1(statement), target = gimple_assign_lhs(statement);
                if (is_memory(source)) access(statement, source, false);
                if (is_memory(target)) access(statement, target, true);
            }
        } else if (gimple_code(statement) == GIMPLE_ASM ||
                   (is_gimple_call(statement) && !only_computes(statement))) {
            close();
        }
        values.note(statement);
    }
    close();
}

}  // namespace tilereel::runtime

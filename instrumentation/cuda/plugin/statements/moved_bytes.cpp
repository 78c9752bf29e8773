#include "moved_bytes.h"

#include <string>

#include "../references.h"

namespace tilereel::runtime {
namespace {

constexpr unsigned HOST_WIDE_INT kMostMoved = 256;

gimple* assignment_of(tree to, tree from, gimple* like) {
    gimple* const made = gimple_build_assign(to, from);
    gimple_set_location(made, gimple_location(like));
    return made;
}

void assign(gimple_stmt_iterator& at) {
    gimple* const call = gsi_stmt(at);
    tree to = gimple_call_arg(call, 0), from = gimple_call_arg(call, 1);
    tree type =
        build_array_type_nelts(unsigned_char_type_node, tree_to_uhwi(gimple_call_arg(call, 2)));
    tree bytes = create_tmp_var(type);
    TREE_ADDRESSABLE(bytes) = 1;
    const auto at_pointer = [&](tree pointer) {
        return build2(MEM_REF, type, pointer, build_int_cst(ptr_type_node, 0));
    };
    gimple* read = NULL;
    if (POINTER_TYPE_P(TREE_TYPE(from))) {
        read = assignment_of(bytes, at_pointer(from), call);
    } else {
        read = gimple_build_call(gimple_call_fndecl(call), 3, build_fold_addr_expr(bytes), from,
                                 gimple_call_arg(call, 2));
        gimple_set_location(read, gimple_location(call));
    }
    gsi_insert_before(&at, read, GSI_SAME_STMT);
    tree result = gimple_call_lhs(call);
    if (result) gsi_insert_before(&at, assignment_of(result, to, call), GSI_SAME_STMT);
    gsi_replace(&at, assignment_of(at_pointer(to), bytes, call), false);
}

}  // namespace

bool is_address_of_local(tree pointer) {
    if (TREE_CODE(pointer) != ADDR_EXPR) return false;
    tree base = get_base_address(TREE_OPERAND(pointer, 0));
    return base && DECL_P(base) && is_local(base);
}

bool moves_bytes(tree function) {
    if (!DECL_NAME(function)) return false;
    // __builtin_memcpy() is memcpy().
    const std::string name = IDENTIFIER_POINTER(fndecl_built_in_p(function, BUILT_IN_NORMAL)
                                                    ? DECL_ASSEMBLER_NAME(function)
                                                    : DECL_NAME(function));
    return name == "memcpy" || name == "memmove" || name == "memset";
}

bool moves_locals(gimple* call) {
    if (gimple_call_num_args(call) != 3 || !is_address_of_local(gimple_call_arg(call, 0)))
        return false;
    tree second = gimple_call_arg(call, 1);
    return !POINTER_TYPE_P(TREE_TYPE(second)) || is_address_of_local(second);
}

void assign_moved_bytes(function* function) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, function)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const call = gsi_stmt(at);
        tree callee = is_gimple_call(call) ? gimple_call_fndecl(call) : NULL_TREE;
        if (!callee || !fndecl_built_in_p(callee, BUILT_IN_NORMAL)) continue;
        const auto code = DECL_FUNCTION_CODE(callee);
        if (code != BUILT_IN_MEMCPY && code != BUILT_IN_MEMMOVE && code != BUILT_IN_MEMSET)
            continue;
        if (gimple_call_num_args(call) != 3 || stmt_ends_bb_p(call) || moves_locals(call)) continue;
        tree bytes = gimple_call_arg(call, 2);
        if (tree_fits_uhwi_p(bytes) && tree_to_uhwi(bytes) - 1 < kMostMoved) assign(at);
    }
}

}  // namespace tilereel::runtime

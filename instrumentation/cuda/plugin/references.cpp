#include "references.h"

#include <algorithm>

namespace tilereel::runtime {

bool is_local(tree base) {
    return TREE_CODE(base) == PARM_DECL || TREE_CODE(base) == RESULT_DECL ||
           (VAR_P(base) && !is_global_var(base));
}

bool is_built_in(tree base) {
    return VAR_P(base) && lookup_attribute("tilereel_built_in", DECL_ATTRIBUTES(base));
}

bool is_memory(tree reference) {
    return handled_component_p(reference) || TREE_CODE(reference) == MEM_REF ||
           TREE_CODE(reference) == TARGET_MEM_REF || VAR_P(reference);
}

unsigned size_of(tree type) {
    tree size = TYPE_SIZE_UNIT(type);
    return size && tree_fits_uhwi_p(size) ? unsigned(tree_to_uhwi(size)) : 0;
}

tree declaration_of(tree reference) {
    tree base = get_base_address(reference);
    if (base && TREE_CODE(base) == MEM_REF) base = TREE_OPERAND(base, 0);
    if (base && TREE_CODE(base) == ADDR_EXPR) base = get_base_address(TREE_OPERAND(base, 0));
    return base && DECL_P(base) ? base : NULL_TREE;
}

tree pointer_behind(gimple_stmt_iterator at, tree reference) {
    tree base = get_base_address(reference);
    if (!base || TREE_CODE(base) != MEM_REF) return NULL_TREE;
    tree found = variable_behind(at, TREE_OPERAND(base, 0));
    return found && POINTER_TYPE_P(TREE_TYPE(found)) ? found : NULL_TREE;
}

tree variable_behind(gimple_stmt_iterator at, tree pointer) {
    for (int steps = 0; steps < 64; ++steps) {
        if (TREE_CODE(pointer) == ADDR_EXPR) {
            tree base = get_base_address(TREE_OPERAND(pointer, 0));
            if (!base || TREE_CODE(base) != MEM_REF)
                return base && DECL_P(base) && DECL_NAME(base) ? base : NULL_TREE;
            pointer = TREE_OPERAND(base, 0);
        }
        if (DECL_P(pointer) && DECL_NAME(pointer)) return pointer;
        for (; !gsi_end_p(at); gsi_prev(&at))
            if (is_gimple_assign(gsi_stmt(at)) && gimple_assign_lhs(gsi_stmt(at)) == pointer) break;
        if (gsi_end_p(at)) return NULL_TREE;
        gimple* statement = gsi_stmt(at);
        tree source = gimple_assign_rhs1(statement);
        const tree_code code = gimple_assign_rhs_code(statement);
        const bool moves = code == POINTER_PLUS_EXPR || CONVERT_EXPR_CODE_P(code) ||
                           code == ADDR_EXPR ||
                           (gimple_assign_single_p(statement) && DECL_P(source));
        if (!moves) return NULL_TREE;
        pointer = source;
    }
    return NULL_TREE;
}

SiteText text_of(tree declaration) {
    if (!declaration || !DECL_NAME(declaration) || DECL_ARTIFICIAL(declaration)) return {};
    return {IDENTIFIER_POINTER(DECL_NAME(declaration)), type_name(TREE_TYPE(declaration)), "", ""};
}

bool is_named_local(tree target) {
    tree base = get_base_address(target);
    return base && DECL_P(base) && is_local(base) && DECL_NAME(base) && !DECL_ARTIFICIAL(base);
}

bool has_value(tree type) {
    return (INTEGRAL_TYPE_P(type) && size_of(type) <= 8) || POINTER_TYPE_P(type) ||
           (TREE_CODE(type) == REAL_TYPE && size_of(type) <= 8 && size_of(type) >= 4);
}

bool is_recorded_memory(tree reference) {
    tree base = get_base_address(reference);
    if (!base || is_built_in(base)) return false;
    if (DECL_P(base) && is_local(base)) return false;
    // An operand of inline PTX.
    if (TREE_CODE(base) == MEM_REF && VAR_P(TREE_OPERAND(base, 0)) &&
        lookup_attribute("tilereel_operand", DECL_ATTRIBUTES(TREE_OPERAND(base, 0))))
        return false;
    if (VAR_P(base) && DECL_ARTIFICIAL(base)) return false;
    if (tree inner = pointed_to(base); inner && DECL_P(inner)) {
        // Variables of the compiler, such as the guard of a static variable, are not recorded.
        if (is_local(inner) || is_built_in(inner) || (VAR_P(inner) && DECL_ARTIFICIAL(inner)))
            return false;
    }
    if (!DECL_P(base) && TREE_CODE(base) != MEM_REF) return false;
    return size_of(TREE_TYPE(reference)) != 0;
}

bool is_recorded(tree reference) {
    if (TREE_CODE(reference) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(reference, 1)))
        return false;
    return TREE_CODE(reference) != BIT_FIELD_REF && is_recorded_memory(reference);
}

unsigned align_of(tree reference) {
    unsigned align = TYPE_ALIGN_UNIT(TREE_TYPE(reference));
    for (tree at = reference; handled_component_p(at); at = TREE_OPERAND(at, 0)) {
        if (TREE_CODE(at) != COMPONENT_REF) continue;
        tree member = TREE_OPERAND(at, 1);
        const unsigned object = TYPE_ALIGN_UNIT(TREE_TYPE(TREE_OPERAND(at, 0)));
        if (object >= align && !DECL_PACKED(member)) continue;
        align = std::min(align, object);
        const unsigned HOST_WIDE_INT offset =
            tree_fits_uhwi_p(byte_position(member)) ? tree_to_uhwi(byte_position(member)) : 1;
        while (align > 1 && offset % align != 0) align /= 2;
    }
    return align;
}

bool has_warpgroup_products = false;

bool is_tracked_local(tree reference) {
    if (!has_warpgroup_products) return false;
    tree base = get_base_address(reference);
    return base && VAR_P(base) && is_local(base) && TREE_ADDRESSABLE(base) && DECL_NAME(base) &&
           !DECL_ARTIFICIAL(base);
}

tree as_argument(gimple_seq* sequence, tree value, int& chosen) {
    tree type = TREE_TYPE(value);
    if (TREE_CODE(type) == REAL_TYPE) {
        chosen = size_of(type) == 4 ? 1 : 2;
        return value;
    }
    chosen = 0;
    // The value's own bits, without sign extension.
    if (INTEGRAL_TYPE_P(type) && !TYPE_UNSIGNED(type)) {
        tree bits = build_nonstandard_integer_type(TYPE_PRECISION(type), 1);
        if (TREE_CODE(value) == INTEGER_CST) {
            value = fold_convert(bits, value);
        } else {
            tree same = create_tmp_reg(bits);
            gimple_seq_add_stmt(sequence, gimple_build_assign(same, NOP_EXPR, value));
            value = same;
        }
    }
    if (TREE_CODE(value) == INTEGER_CST) return fold_convert(long_unsigned_type_node, value);
    tree wide = create_tmp_reg(long_unsigned_type_node);
    gimple_seq_add_stmt(sequence, gimple_build_assign(wide, NOP_EXPR, value));
    return wide;
}

tree pointed_to(tree reference) {
    if (TREE_CODE(reference) != MEM_REF) return NULL_TREE;
    tree pointer = TREE_OPERAND(reference, 0);
    if (TREE_CODE(pointer) == SSA_NAME) {
        gimple* definition = SSA_NAME_DEF_STMT(pointer);
        if (!definition || !gimple_assign_single_p(definition)) return NULL_TREE;
        pointer = gimple_assign_rhs1(definition);
    }
    return TREE_CODE(pointer) == ADDR_EXPR ? get_base_address(TREE_OPERAND(pointer, 0)) : NULL_TREE;
}

}  // namespace tilereel::runtime

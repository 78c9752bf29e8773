// Why. Where the value of an assignment is used, g++ reads the assigned object again: x = y = z
// becomes y = z; x = y. Optimised code has no such load, and neither has nvcc's:
//
//     x = (y = z);     ->  x = (kept = z, y = kept, kept);
//     x = ++y;         ->  x = y++ + 1;
//
// nvcc reads a volatile object again, g++ does not:
//
//     x = (y = z);     ->  x = (y = z, y);
#include "assigned_values.h"

#include "../descriptors.h"
#include "../references.h"

namespace tilereel::runtime {
namespace {

// Whether the expression assigns to memory that is recorded, and has the object as its value.
bool assigns_memory(tree expression) {
    const tree_code code = TREE_CODE(expression);
    if (code != MODIFY_EXPR && code != PREINCREMENT_EXPR && code != PREDECREMENT_EXPR) return false;
    tree target = TREE_OPERAND(expression, 0);
    if (!is_gimple_reg_type(TREE_TYPE(target)) ||
        !same_type_ignoring_top_level_qualifiers_p(TREE_TYPE(target), TREE_TYPE(expression)))
        return false;
    tree base = get_base_address(target);
    return !base || !DECL_P(base) || !is_local(base);
}

tree with_kept_value(tree assignment) {
    tree target = TREE_OPERAND(assignment, 0), value = TREE_OPERAND(assignment, 1);
    tree type = TYPE_MAIN_VARIANT(TREE_TYPE(target));
    const bool is_modified = TREE_CODE(assignment) == MODIFY_EXPR;
    if (TREE_THIS_VOLATILE(target))
        return is_modified && !TREE_SIDE_EFFECTS(TREE_OPERAND(target, 0))
                   ? build2(COMPOUND_EXPR, type, assignment, unshare_expr(target))
                   : assignment;
    if (is_modified) {
        if (!same_type_ignoring_top_level_qualifiers_p(TREE_TYPE(value), type)) return assignment;
        if (TREE_CONSTANT(value)) return build2(COMPOUND_EXPR, type, assignment, value);
        tree kept = create_tmp_var_raw(type, "kept");
        tree keeps = build4(TARGET_EXPR, type, kept, value, NULL_TREE, NULL_TREE);
        TREE_SIDE_EFFECTS(keeps) = 1;
        tree assigned = build2_loc(EXPR_LOCATION(assignment), MODIFY_EXPR, type, target, kept);
        return build2(COMPOUND_EXPR, type, keeps, build2(COMPOUND_EXPR, type, assigned, kept));
    }
    const bool adds = TREE_CODE(assignment) == PREINCREMENT_EXPR;
    tree before = build2_loc(EXPR_LOCATION(assignment),
                             adds ? POSTINCREMENT_EXPR : POSTDECREMENT_EXPR, type, target, value);
    TREE_SIDE_EFFECTS(before) = 1;
    if (POINTER_TYPE_P(type)) {
        tree step = fold_convert(sizetype, value);
        return build2(POINTER_PLUS_EXPR, type, before,
                      adds ? step : fold_build1(NEGATE_EXPR, sizetype, step));
    }
    return build2(adds ? PLUS_EXPR : MINUS_EXPR, type, before, fold_convert(type, value));
}

void keep(tree& operand) {
    if (!operand || !EXPR_P(operand) || !assigns_memory(operand)) return;
    operand = with_kept_value(operand);
    clear_fold_cache();  // it may know the expression as it was
}

bool has_bit_fields(tree type) {
    for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field))
        if (TREE_CODE(field) == FIELD_DECL && DECL_C_BIT_FIELD(field)) return true;
    return false;
}

tree without_conversions(tree expression) {
    while (CONVERT_EXPR_P(expression) || TREE_CODE(expression) == NON_LVALUE_EXPR)
        expression = TREE_OPERAND(expression, 0);
    return expression;
}

// The same of objects of classes, which the front end reads through a reference:
//     x = *(y = z, &y)   ->  x = (kept = z, y = kept, kept)
// A new object with bit-fields is made as a local one and stored whole, as by nvcc:
//     x = *&T{a, b}      ->  x = (local = T{a, b}, local)
void keep_object(tree& operand) {
    tree type = TYPE_MAIN_VARIANT(TREE_TYPE(operand));
    if (TREE_CODE(operand) != INDIRECT_REF || TREE_CODE(type) != RECORD_TYPE ||
        TREE_THIS_VOLATILE(operand) || !trivially_copyable_p(type))
        return;
    tree pointer = without_conversions(TREE_OPERAND(operand, 0));
    if (TREE_CODE(pointer) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(pointer, 0)) == TARGET_EXPR) {
        tree made = TREE_OPERAND(pointer, 0);
        if (!has_bit_fields(type) || TYPE_MAIN_VARIANT(TREE_TYPE(made)) != type) return;
        operand = build2(COMPOUND_EXPR, type, made, TARGET_EXPR_SLOT(made));
    } else if (TREE_CODE(pointer) == COMPOUND_EXPR) {
        tree assigned = TREE_OPERAND(pointer, 0);
        if (TREE_CODE(assigned) != MODIFY_EXPR) return;
        tree target = TREE_OPERAND(assigned, 0), value = TREE_OPERAND(assigned, 1);
        tree place = without_conversions(TREE_OPERAND(pointer, 1));
        if (TYPE_MAIN_VARIANT(TREE_TYPE(target)) != type || TREE_THIS_VOLATILE(target) ||
            !operand_equal_p(without_conversions(build_fold_addr_expr(target)), place, 0))
            return;
        keep_object(value);
        tree kept = create_tmp_var_raw(type, "kept");
        tree keeps = build4(TARGET_EXPR, type, kept, value, NULL_TREE, NULL_TREE);
        TREE_SIDE_EFFECTS(keeps) = 1;
        tree stores = build2_loc(EXPR_LOCATION(assigned), MODIFY_EXPR, type, target, kept);
        operand = build2(COMPOUND_EXPR, type, keeps, build2(COMPOUND_EXPR, type, stores, kept));
    } else {
        return;
    }
    clear_fold_cache();
}

bool uses_value_of_operands(tree expression) {
    if (VOID_TYPE_P(TREE_TYPE(expression))) return false;
    switch (TREE_CODE(expression)) {
        case TRUTH_AND_EXPR:
        case TRUTH_OR_EXPR:
        case TRUTH_XOR_EXPR:
        case TRUTH_ANDIF_EXPR:
        case TRUTH_ORIF_EXPR:
        case TRUTH_NOT_EXPR:
            return true;
        default:
            return UNARY_CLASS_P(expression) || BINARY_CLASS_P(expression) ||
                   COMPARISON_CLASS_P(expression);
    }
}

tree at_node(tree* node, int*, void*) {
    tree const expression = *node;
    if (TREE_CODE(expression) == DECL_EXPR) {
        tree declared = DECL_EXPR_DECL(expression);
        if (VAR_P(declared) && DECL_INITIAL(declared) && !TYPE_REF_P(TREE_TYPE(declared)))
            keep(DECL_INITIAL(declared));
        return NULL_TREE;
    }
    if (!EXPR_P(expression)) return NULL_TREE;
    switch (TREE_CODE(expression)) {
        case MODIFY_EXPR:
        case INIT_EXPR:
            keep_object(TREE_OPERAND(expression, 1));
            keep(TREE_OPERAND(expression, 1));
            break;
        case ARRAY_REF:
            keep(TREE_OPERAND(expression, 1));
            break;
        case INDIRECT_REF:
        case COND_EXPR:
        case IF_STMT:
        case WHILE_STMT:
        case DO_STMT:
        case SWITCH_STMT:
            keep(TREE_OPERAND(expression, 0));
            break;
        case FOR_STMT:
            keep(FOR_COND(expression));
            break;
        case CALL_EXPR:
            for (int i = 0; i < call_expr_nargs(expression); ++i)
                keep(CALL_EXPR_ARG(expression, i));
            break;
        default:
            if (uses_value_of_operands(expression))
                for (int i = 0; i < TREE_OPERAND_LENGTH(expression); ++i)
                    keep(TREE_OPERAND(expression, i));
    }
    return NULL_TREE;
}

}  // namespace

void keep_assigned_values(tree function) {
    if (!is_device_function(function) || !DECL_SAVED_TREE(function)) return;
    cp_walk_tree_without_duplicates(&DECL_SAVED_TREE(function), at_node, NULL);
}

}  // namespace tilereel::runtime

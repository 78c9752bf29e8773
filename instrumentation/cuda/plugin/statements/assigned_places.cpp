// Why. The front end makes x += y out of x = x + y, in which both x are one tree or its copy. What
// has no side effect in it is left to the optimiser, so unoptimised code loads it twice:
//
//     a[index[i]] += 1;   ->  a[index[i]] = a[index[i]] + 1;   two loads of index[i]
//
// Each load that the place of the target needs becomes a SAVE_EXPR, which is evaluated once.
#include "assigned_places.h"

#include "../descriptors.h"
#include "../references.h"

namespace tilereel::runtime {
namespace {

bool keep_loads_of_place(tree& place);

bool reads_memory(tree value) {
    if (!is_gimple_reg_type(TREE_TYPE(value))) return false;
    switch (TREE_CODE(value)) {
        case INDIRECT_REF:
        case MEM_REF:
        case ARRAY_REF:
        case COMPONENT_REF: {
            tree base = get_base_address(value);
            return !base || !DECL_P(base) || !is_local(base);
        }
        case VAR_DECL:
            return is_global_var(value) && !TREE_READONLY(value);
        default:
            return false;
    }
}

// Keeps the loads in a value from which the place is computed. Whether there are any.
bool keep_loads(tree& value) {
    if (reads_memory(value)) {
        TREE_READONLY(value) = 0;  // otherwise it would be folded to the load again
        value = build1_loc(EXPR_LOCATION(value), SAVE_EXPR, TREE_TYPE(value), value);
        TREE_SIDE_EFFECTS(value) = 1;
        return true;
    }
    if (TREE_CODE(value) == ADDR_EXPR) return keep_loads_of_place(TREE_OPERAND(value, 0));
    // The front end wraps a name to say where it stands in the text.
    if (TREE_CODE(value) == VIEW_CONVERT_EXPR) return keep_loads(TREE_OPERAND(value, 0));
    bool kept = false;
    if (UNARY_CLASS_P(value) || BINARY_CLASS_P(value) || COMPARISON_CLASS_P(value))
        for (int i = 0; i < TREE_OPERAND_LENGTH(value); ++i)
            kept |= keep_loads(TREE_OPERAND(value, i));
    return kept;
}

bool keep_loads_of_place(tree& place) {
    switch (TREE_CODE(place)) {
        case INDIRECT_REF:
        case MEM_REF:
            return keep_loads(TREE_OPERAND(place, 0));
        case ARRAY_REF: {
            const bool kept = keep_loads(TREE_OPERAND(place, 1));
            return keep_loads_of_place(TREE_OPERAND(place, 0)) || kept;
        }
        case COMPONENT_REF:
        case BIT_FIELD_REF:
        case REALPART_EXPR:
        case IMAGPART_EXPR:
        case VIEW_CONVERT_EXPR:
            return keep_loads_of_place(TREE_OPERAND(place, 0));
        default:
            return false;
    }
}

struct Targets {
    tree before, after;
    bool found;
};

// Bitwise operators have a copy of the tree of the target. It has the same place in the text, which
// a second mention of the same object does not have.
bool is_target(tree node, tree target) {
    return node == target ||
           (TREE_CODE(node) == TREE_CODE(target) && EXPR_LOCATION(node) != UNKNOWN_LOCATION &&
            EXPR_LOCATION(node) == EXPR_LOCATION(target) && operand_equal_p(node, target, 0));
}

tree replace_target(tree* node, int* subtrees, void* targets) {
    Targets& t = *static_cast<Targets*>(targets);
    if (is_target(*node, t.before)) {
        *node = t.after;
        *subtrees = 0;
        t.found = true;
    } else if (TYPE_P(*node) || TREE_CODE(*node) == SAVE_EXPR) {
        *subtrees = 0;
    }
    return NULL_TREE;
}

tree at_assignment(tree* node, int*, void*) {
    tree assignment = *node;
    if (TREE_CODE(assignment) != MODIFY_EXPR) return NULL_TREE;
    tree target = TREE_OPERAND(assignment, 0);
    if (!handled_component_p(target) && TREE_CODE(target) != INDIRECT_REF) return NULL_TREE;
    Targets targets{target, unshare_expr(target), false};
    if (!keep_loads_of_place(targets.after)) return NULL_TREE;
    // In a simple assignment the value does not have the tree of the target.
    cp_walk_tree_without_duplicates(&TREE_OPERAND(assignment, 1), replace_target, &targets);
    if (!targets.found) return NULL_TREE;
    TREE_OPERAND(assignment, 0) = targets.after;
    clear_fold_cache();  // it may know the expression as it was
    return NULL_TREE;
}

}  // namespace

void keep_assigned_places(tree function) {
    if (!is_device_function(function) || !DECL_SAVED_TREE(function)) return;
    cp_walk_tree_without_duplicates(&DECL_SAVED_TREE(function), at_assignment, NULL);
}

}  // namespace tilereel::runtime

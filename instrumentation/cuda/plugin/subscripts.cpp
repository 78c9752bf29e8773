#include "subscripts.h"

#include <algorithm>
#include <string>

#include "descriptors.h"
#include "hook_declarations.h"
#include "references.h"

namespace tilereel::runtime {
namespace {

constexpr std::size_t kMostSubscripts = 4;
// Passes of -O2 take a time that grows with the square of a function's branches.
constexpr std::size_t kMostChecks = 256;

// The name of what a pointer points to; empty if nothing has a name.
std::string name_behind(gimple_stmt_iterator at, tree pointer) {
    tree found = variable_behind(at, pointer);
    return found && DECL_NAME(found) && !DECL_ARTIFICIAL(found)
               ? IDENTIFIER_POINTER(DECL_NAME(found))
               : "";
}

// "Bs[%][%]", "tile[%].row[%]", "p->row[%]", "rows[...][%]" of a pointer to arrays; empty: it has
// no name, or is seen as another type.
std::string place_of(gimple_stmt_iterator at, tree reference) {
    switch (TREE_CODE(reference)) {
        case ARRAY_REF: {
            const std::string array = place_of(at, TREE_OPERAND(reference, 0));
            return array.empty() ? array : array + "[%]";
        }
        case COMPONENT_REF: {
            tree object = TREE_OPERAND(reference, 0), member = TREE_OPERAND(reference, 1);
            const bool is_pointed = TREE_CODE(object) == MEM_REF;
            const std::string around =
                is_pointed ? name_behind(at, TREE_OPERAND(object, 0)) : place_of(at, object);
            if (around.empty() || !DECL_NAME(member)) return "";
            return around + (is_pointed ? "->" : ".") + IDENTIFIER_POINTER(DECL_NAME(member));
        }
        case MEM_REF: {
            const std::string name = name_behind(at, TREE_OPERAND(reference, 0));
            return name.empty() ? name : name + "[...]";
        }
        case VAR_DECL:
        case PARM_DECL:
            return DECL_NAME(reference) && !DECL_ARTIFICIAL(reference)
                       ? IDENTIFIER_POINTER(DECL_NAME(reference))
                       : "";
        default:
            return "";
    }
}

// Whether it is the last member of an object behind a pointer: such an array may stand for one that
// is longer.
bool may_be_longer(tree array) {
    if (TREE_CODE(array) != COMPONENT_REF) return false;
    tree next = DECL_CHAIN(TREE_OPERAND(array, 1));
    while (next && TREE_CODE(next) != FIELD_DECL) next = DECL_CHAIN(next);
    tree base = get_base_address(array);
    return !next && (!base || !DECL_P(base));
}

// The number of elements in which the subscript must lie; 0: unknown, or not to be checked.
unsigned extent_of(tree reference) {
    tree array = TREE_OPERAND(reference, 0), index = TREE_OPERAND(reference, 1);
    if (TREE_CODE(TREE_TYPE(array)) != ARRAY_TYPE) return 0;
    tree domain = TYPE_DOMAIN(TREE_TYPE(array));
    tree last = domain ? TYPE_MAX_VALUE(domain) : NULL_TREE;
    if (!last || !tree_fits_uhwi_p(last) || !integer_zerop(TYPE_MIN_VALUE(domain))) return 0;
    const unsigned HOST_WIDE_INT most = tree_to_uhwi(last);
    constexpr unsigned HOST_WIDE_INT kMost = 0x7fffffff;
    if (most >= kMost || may_be_longer(array)) return 0;
    if (tree_fits_uhwi_p(index) && tree_to_uhwi(index) <= most) return 0;
    if (DECL_P(array) && !is_local(array)) return 0;
    // As[0][i] is how programs read all rows as one, on purpose.
    if (TREE_CODE(array) == ARRAY_REF && integer_zerop(TREE_OPERAND(array, 1))) return 0;
    return unsigned(most) + 1;
}

}  // namespace

void SubscriptChecks::add(gimple_stmt_iterator& at, tree reference, bool is_store,
                          location_t location) {
    if (in_system_header_at(location)) return;
    std::vector<unsigned> extents;
    std::vector<tree> indices;
    for (tree inner = reference; handled_component_p(inner); inner = TREE_OPERAND(inner, 0)) {
        if (TREE_CODE(inner) != ARRAY_REF) continue;
        extents.push_back(extent_of(inner));
        indices.push_back(TREE_OPERAND(inner, 1));
    }
    const bool is_checked =
        std::any_of(extents.begin(), extents.end(), [](unsigned extent) { return extent > 0; });
    if (!is_checked || extents.size() > kMostSubscripts) return;
    const std::string place = place_of(at, reference);
    if (place.empty()) return;
    std::reverse(extents.begin(), extents.end());
    std::reverse(indices.begin(), indices.end());
    gimple_seq sequence = NULL;
    tree values[kMostSubscripts];
    for (std::size_t i = 0; i < kMostSubscripts; ++i) {
        values[i] = build_int_cst(long_integer_type_node, 0);
        if (i >= indices.size()) continue;
        gimple_seq computed = NULL;
        tree wide = fold_convert(long_integer_type_node, unshare_expr(indices[i]));
        values[i] = force_gimple_operand(wide, &computed, true, NULL_TREE);
        gimple_seq_add_seq(&sequence, computed);
    }
    gcall* const call = gimple_build_call(
        hooks().subscript, 5, Descriptors::subscripts(location, place, is_store, extents),
        values[0], values[1], values[2], values[3]);
    gimple_set_location(call, location);
    gimple_seq_add_stmt(&sequence, call);
    gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
    checks_.push_back({call, extents});
}

void SubscriptChecks::add_pointed(gimple_stmt_iterator& at, tree pointer, bool is_store,
                                  location_t location) {
    for (gimple_stmt_iterator before = at; !gsi_end_p(before); gsi_prev(&before)) {
        gimple* const statement = gsi_stmt(before);
        if (!is_gimple_assign(statement) || gimple_assign_lhs(statement) != pointer) continue;
        tree source = gimple_assign_rhs1(statement);
        const bool is_temporary = TREE_CODE(pointer) == SSA_NAME
                                      ? !SSA_NAME_VAR(pointer)
                                      : DECL_P(pointer) && DECL_ARTIFICIAL(pointer);
        if (is_temporary && TREE_CODE(source) == ADDR_EXPR)
            add(at, TREE_OPERAND(source, 0), is_store, location);
        return;
    }
}

void SubscriptChecks::place() {
    const bool are_too_many = checks_.size() > kMostChecks;
    for (const Check& check : checks_) {
        gimple_stmt_iterator at = gsi_for_stmt(check.call);
        if (are_too_many) {
            gsi_remove(&at, true);
            continue;
        }
        gimple_seq sequence = NULL;
        tree outside = NULL_TREE;
        for (std::size_t i = 0; i < check.extents.size(); ++i) {
            if (check.extents[i] == 0) continue;
            // A subscript below 0 is a large one without its sign.
            tree bits = create_tmp_reg(long_unsigned_type_node);
            gimple_seq_add_stmt(
                &sequence, gimple_build_assign(bits, NOP_EXPR, gimple_call_arg(check.call, i + 1)));
            tree last = build_int_cstu(long_unsigned_type_node, check.extents[i] - 1);
            tree found = create_tmp_reg(boolean_type_node);
            gimple_seq_add_stmt(&sequence, gimple_build_assign(found, GT_EXPR, bits, last));
            if (!outside) {
                outside = found;
                continue;
            }
            tree either = create_tmp_reg(boolean_type_node);
            gimple_seq_add_stmt(&sequence,
                                gimple_build_assign(either, BIT_IOR_EXPR, outside, found));
            outside = either;
        }
        gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
        basic_block then, after;
        gimple_stmt_iterator condition =
            create_cond_insert_point(&at, true, false, true, &then, &after);
        gsi_insert_after(&condition,
                         gimple_build_cond(NE_EXPR, outside, boolean_false_node, NULL, NULL),
                         GSI_NEW_STMT);
        gimple_stmt_iterator call = gsi_for_stmt(check.call);
        gsi_move_to_bb_end(&call, then);
    }
}

}  // namespace tilereel::runtime

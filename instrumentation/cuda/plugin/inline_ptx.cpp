// An asm statement becomes
//     unsigned long slots[operands];
//     slots[0] = bits of the first operand; ...      // inputs
//     tilereel_run_ptx(&data, slots, places);
//     first operand = value of slots[0]; ...         // outputs
// so that the compiler still sees which variables the statement reads and which it assigns.
// `places` is null, except where the statement has wgmma.mma_async: then it has the addresses of
// its outputs, which no other statement may access before wgmma.wait_group (is_tracked_local()).
// CUDA, "Inline PTX Assembly in CUDA", section "Constraints".
#include "inline_ptx.h"

#include <string>
#include <vector>

#include "descriptors.h"
#include "references.h"

namespace tilereel::runtime {
namespace {

struct PtxOperand {
    tree value;
    char letter;  // of the constraint
    bool reads, writes;
};

// The bytes of a register of the constraint; 0: "n", a constant. -1: no constraint of PTX.
int bytes_of_constraint(char letter) {
    switch (letter) {
        case 'n':
            return 0;
        case 'h':
            return 2;
        case 'r':
        case 'f':
            return 4;
        case 'l':
        case 'd':
            return 8;
        default:
            return -1;
    }
}

// "=f" -> reads nothing and writes; "+r" -> both; "l" -> reads.
PtxOperand operand_of(tree entry, bool is_output) {
    const char* constraint = TREE_STRING_POINTER(TREE_VALUE(TREE_PURPOSE(entry)));
    PtxOperand operand{TREE_VALUE(entry), 0, !is_output, is_output};
    for (; *constraint == '=' || *constraint == '+' || *constraint == '&'; ++constraint)
        if (*constraint == '+') operand.reads = true;
    operand.letter = constraint[0] != 0 && constraint[1] == 0 ? constraint[0] : '?';
    return operand;
}

// Reports what nvcc refuses, too. Returns whether the operand can be passed.
bool is_sound(location_t location, const PtxOperand& operand) {
    const int bytes = bytes_of_constraint(operand.letter);
    if (bytes < 0) {
        error_at(location,
                 "inline PTX: Tilereel takes operands of the constraints h, r, l, f, d "
                 "and n; this statement has another one");
        return false;
    }
    tree type = TREE_TYPE(operand.value);
    const bool is_real = TREE_CODE(type) == REAL_TYPE;
    const bool has_bits = INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type) || is_real;
    const bool wants_real = operand.letter == 'f' || operand.letter == 'd';
    if (has_bits && (bytes == 0 ? !is_real : int(size_of(type)) == bytes && is_real == wants_real))
        return true;
    error_at(location,
             "inline PTX: an operand of type %s does not match its constraint \"%c\", "
             "which takes %s",
             type_name(type).c_str(), operand.letter,
             bytes == 0   ? "an integer constant"
             : wants_real ? (bytes == 4 ? "a float" : "a double")
             : bytes == 2 ? "an integer of 16 bits"
             : bytes == 4 ? "an integer of 32 bits"
                          : "an integer of 64 bits or a pointer");
    return false;
}

tree unsigned_of(tree type) { return build_nonstandard_integer_type(8 * size_of(type), 1); }

// The operand's bits as an unsigned long.
tree bits_of(tree value) {
    tree type = TREE_TYPE(value);
    tree bits = TREE_CODE(type) == REAL_TYPE ? build1(VIEW_CONVERT_EXPR, unsigned_of(type), value)
                : POINTER_TYPE_P(type)       ? build1(CONVERT_EXPR, long_unsigned_type_node, value)
                                             : build1(NOP_EXPR, unsigned_of(type), value);
    return build1(NOP_EXPR, long_unsigned_type_node, bits);
}

tree value_of(tree bits, tree type) {
    if (POINTER_TYPE_P(type)) return build1(CONVERT_EXPR, type, bits);
    tree narrow = build1(NOP_EXPR, unsigned_of(type), bits);
    return build1(TREE_CODE(type) == REAL_TYPE ? VIEW_CONVERT_EXPR : NOP_EXPR, type, narrow);
}

// The statement's own text. In a statement with operands "%%" stands for "%".
std::string text_of_statement(tree statement) { return TREE_STRING_POINTER(ASM_STRING(statement)); }

tree local_variable(tree function, tree type) {
    tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, NULL_TREE, type);
    DECL_CONTEXT(decl) = function;
    DECL_ARTIFICIAL(decl) = 1;
    DECL_IGNORED_P(decl) = 1;
    TREE_USED(decl) = 1;
    layout_decl(decl, 0);
    return decl;
}

tree runtime_function() {
    tree type = build_function_type_list(void_type_node, ptr_type_node, ptr_type_node,
                                         ptr_type_node, NULL_TREE);
    tree decl = build_fn_decl("tilereel_run_ptx", type);
    TREE_NOTHROW(decl) = 1;
    // The hook `at` tells the runtime the statement's place.
    DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("tilereel_call"), NULL_TREE, NULL_TREE);
    return decl;
}

tree lowered(tree function, tree statement) {
    const location_t location = EXPR_LOCATION(statement);
    if (ASM_LABELS(statement)) {
        error_at(location, "inline PTX: asm goto is not of CUDA; branch within the statement");
        return NULL_TREE;
    }
    std::vector<PtxOperand> operands;
    for (tree list : {ASM_OUTPUTS(statement), ASM_INPUTS(statement)})
        for (tree entry = list; entry; entry = TREE_CHAIN(entry))
            operands.push_back(operand_of(entry, list == ASM_OUTPUTS(statement)));
    std::string letters;
    for (const PtxOperand& operand : operands) {
        if (!is_sound(location, operand)) return NULL_TREE;
        letters += operand.letter;
    }

    tree body = alloc_stmt_list();
    const auto append = [&](tree expression) {
        SET_EXPR_LOCATION(expression, location);
        append_to_statement_list_force(expression, &body);
    };
    const size_t count = operands.empty() ? 1 : operands.size();
    tree slots =
        local_variable(function, build_array_type_nelts(long_unsigned_type_node, int(count)));
    TREE_ADDRESSABLE(slots) = 1;
    tree variables = slots;
    const auto slot = [&](size_t number) {
        return build4(ARRAY_REF, long_unsigned_type_node, slots, size_int(number), NULL_TREE,
                      NULL_TREE);
    };
    const std::string text = text_of_statement(statement);
    const bool multiplies = text.find("wgmma.mma_async") != std::string::npos;
    // Without an instruction a statement only orders the compiler's accesses.
    const bool may_access_sums =
        multiplies || text.find_first_not_of(" \n\t;") == std::string::npos;
    has_warpgroup_products = has_warpgroup_products || multiplies;
    tree places = null_pointer_node, place_array = NULL_TREE;
    if (multiplies) {
        place_array = local_variable(function, build_array_type_nelts(ptr_type_node, int(count)));
        TREE_ADDRESSABLE(place_array) = 1;
        DECL_CHAIN(place_array) = variables;
        variables = place_array;
        places = build_fold_addr_expr_with_type(place_array, ptr_type_node);
    }
    for (size_t i = 0; i < operands.size(); ++i) {
        PtxOperand& operand = operands[i];
        tree place = null_pointer_node;
        // What an operand does besides its value happens once.
        if (operand.writes && (may_access_sums || TREE_SIDE_EFFECTS(operand.value))) {
            tree pointer = local_variable(function, build_pointer_type(TREE_TYPE(operand.value)));
            if (may_access_sums)
                DECL_ATTRIBUTES(pointer) =
                    tree_cons(get_identifier("tilereel_operand"), NULL_TREE, NULL_TREE);
            if (tree base = get_base_address(operand.value); base && VAR_P(base))
                TREE_ADDRESSABLE(base) = 1;
            DECL_CHAIN(pointer) = variables;
            variables = pointer;
            append(build2(MODIFY_EXPR, TREE_TYPE(pointer), pointer,
                          build_fold_addr_expr(operand.value)));
            operand.value = build1(INDIRECT_REF, TREE_TYPE(operand.value), pointer);
            place = pointer;
        }
        if (multiplies)
            append(build2(
                MODIFY_EXPR, ptr_type_node,
                build4(ARRAY_REF, ptr_type_node, place_array, size_int(i), NULL_TREE, NULL_TREE),
                fold_convert(ptr_type_node, place)));
    }
    for (size_t i = 0; i < operands.size(); ++i)
        append(build2(MODIFY_EXPR, long_unsigned_type_node, slot(i),
                      operands[i].reads ? bits_of(operands[i].value)
                                        : build_int_cstu(long_unsigned_type_node, 0)));
    tree data = Descriptors::inline_ptx(text, letters, !ASM_INPUT_P(statement));
    append(build_call_expr_loc(location, runtime_function(), 3, data,
                               build_fold_addr_expr_with_type(slots, ptr_type_node), places));
    for (size_t i = 0; i < operands.size(); ++i)
        if (operands[i].writes)
            append(build2(MODIFY_EXPR, TREE_TYPE(operands[i].value),
                          unshare_expr(operands[i].value),
                          value_of(slot(i), TREE_TYPE(operands[i].value))));
    tree block = build3(BIND_EXPR, void_type_node, variables, body, NULL_TREE);
    TREE_SIDE_EFFECTS(block) = 1;
    SET_EXPR_LOCATION(block, location);
    return block;
}

tree replace_statement(tree* at, int* walks_below, void* function) {
    if (TYPE_P(*at)) *walks_below = 0;
    if (TREE_CODE(*at) != ASM_EXPR) return NULL_TREE;
    *walks_below = 0;
    if (tree other = lowered(static_cast<tree>(function), *at))
        *at = other;
    else
        *at = build_empty_stmt(EXPR_LOCATION(*at));
    return NULL_TREE;
}

}  // namespace

void replace_inline_ptx(tree function) {
    if (!is_device_function(function)) return;
    walk_tree_without_duplicates(&DECL_SAVED_TREE(function), replace_statement, function);
}

}  // namespace tilereel::runtime

// Hooks at the entry of a device function. They report the arrays that it uses in shared and device
// memory, and a kernel's parameters.
#include <algorithm>

#include "hook_declarations.h"
#include "instrument.h"
#include "references.h"

namespace tilereel::runtime {
namespace {

// A CUtensorMap stands for the array that it describes: our runtime stores the array's address in
// its first 8 bytes.
bool is_tensor_map(tree type) {
    if (TREE_CODE(type) != RECORD_TYPE) return false;
    tree name = TYPE_NAME(TYPE_MAIN_VARIANT(type));
    if (name && TREE_CODE(name) == TYPE_DECL) name = DECL_NAME(name);
    return name && strcmp(IDENTIFIER_POINTER(name), "CUtensorMap_st") == 0;
}

// Reads the pointer in the first 8 bytes of the variable.
tree first_pointer(gimple_seq* sequence, tree variable) {
    TREE_ADDRESSABLE(variable) = 1;
    tree value = create_tmp_reg(ptr_type_node);
    tree address = create_tmp_reg(build_pointer_type(TREE_TYPE(variable)));
    gimple_seq_add_stmt(sequence, gimple_build_assign(address, build_fold_addr_expr(variable)));
    tree first = build2(MEM_REF, ptr_type_node, address, build_int_cst(ptr_type_node, 0));
    gimple_seq_add_stmt(sequence, gimple_build_assign(value, first));
    return value;
}

}  // namespace

void Instrument::on_entry() {
    gimple_seq sequence = NULL;
    for (tree decl : shared_) {
        gimple_seq computed = NULL;
        TREE_ADDRESSABLE(decl) = 1;
        tree address = force_gimple_operand(build_fold_addr_expr(decl), &computed, true, NULL_TREE);
        gimple_seq_add_seq(&sequence, computed);
        gimple_seq_add_stmt(
            &sequence, gimple_build_call(hooks().shared, 2, address, Descriptors::variable(decl)));
    }
    for (tree decl : pointed_at_)
        gimple_seq_add_stmt(&sequence,
                            gimple_build_call(hooks().shared, 2, build_fold_addr_expr(decl),
                                              Descriptors::variable(decl)));
    if (lookup_attribute("tilereel_global", DECL_ATTRIBUTES(function_->decl))) {
        gimple_seq_add_stmt(
            &sequence, gimple_build_call(
                           hooks().begin, 1,
                           build_fold_addr_expr(Descriptors::kernel_descriptor(function_->decl))));
        block_ = NULL;
        location_ = DECL_SOURCE_LOCATION(function_->decl);
        for (tree parameter = DECL_ARGUMENTS(function_->decl); parameter;
             parameter = DECL_CHAIN(parameter))
            if (DECL_NAME(parameter) && has_value(TREE_TYPE(parameter))) {
                tree value = parameter;
                if (!is_gimple_reg(parameter)) {  // its address is taken, as by a lambda
                    value = create_tmp_reg(TREE_TYPE(parameter));
                    gimple_seq_add_stmt(&sequence, gimple_build_assign(value, parameter));
                }
                insert_value(&sequence, parameter, value, kParameter);
            } else if (DECL_NAME(parameter) && is_tensor_map(TREE_TYPE(parameter))) {
                insert_value(&sequence, parameter, first_pointer(&sequence, parameter), kParameter);
            }
    }
    if (sequence)
        gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(function_)),
                                         sequence);
}

// Notes shared arrays and device variables whose address is taken, for a pointer or for a call.
void Instrument::note_shared_operands(gimple* statement) {
    for (unsigned i = 0; i < gimple_num_ops(statement); ++i) {
        tree operand = gimple_op(statement, i);
        if (!operand || TREE_CODE(operand) != ADDR_EXPR) continue;
        tree base = get_base_address(TREE_OPERAND(operand, 0));
        if (base && TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == ADDR_EXPR)
            base = get_base_address(TREE_OPERAND(TREE_OPERAND(base, 0), 0));
        if (!base || !DECL_P(base)) continue;
        if (is_shared(base)) note_shared(base);
        if (is_device_variable(base) &&
            std::find(pointed_at_.begin(), pointed_at_.end(), base) == pointed_at_.end())
            pointed_at_.push_back(base);
    }
}

void Instrument::note_shared(tree decl) {
    for (tree known : shared_)
        if (known == decl) return;
    // All dynamic shared arrays have one symbol, because they are the same memory.
    if (DECL_EXTERNAL(decl))
        symtab->change_decl_assembler_name(decl, get_identifier("tilereel_dynamic_shared"));
    // In the order of declaration.
    auto place = shared_.begin();
    while (place != shared_.end() && DECL_UID(*place) < DECL_UID(decl)) ++place;
    shared_.insert(place, decl);
}

}  // namespace tilereel::runtime

// Hooks for calls in device code: of runtime functions, of device functions, and of C library
// functions that the runtime replaces.
#include <map>

#include "device_rules.h"
#include "hook_declarations.h"
#include "instrument.h"
#include "references.h"
#include "statements/moved_bytes.h"

namespace tilereel::runtime {
namespace {

// The runtime function that replaces a function of the C or C++ library in device code; or null.
tree replacement_of(tree callee) {
    static const std::map<std::string, const char*> replacements = {
        {"printf", "tilereel_printf"},        {"clock", "tilereel_clock"},
        {"malloc", "tilereel_malloc"},        {"free", "tilereel_free"},
        {"_Znwm", "tilereel_malloc"},         {"_Znam", "tilereel_malloc"},
        {"_ZdlPv", "tilereel_free"},          {"_ZdaPv", "tilereel_free"},
        {"_ZdlPvm", "tilereel_free"},         {"_ZdaPvm", "tilereel_free"},
        {"memcpy", "tilereel_memcpy"},        {"memmove", "tilereel_memmove"},
        {"memset", "tilereel_memset"},        {"exit", "tilereel_exit"},
        {"_exit", "tilereel_exit_now"},       {"_Exit", "tilereel_exit_now"},
        {"quick_exit", "tilereel_quick_exit"}};
    if (!TREE_PUBLIC(callee)) return NULL_TREE;
    const auto found = replacements.find(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(callee)));
    if (found == replacements.end()) return NULL_TREE;
    tree decl = build_fn_decl(found->second, TREE_TYPE(callee));
    TREE_NOTHROW(decl) = 1;
    TREE_THIS_VOLATILE(decl) = TREE_THIS_VOLATILE(callee);  // whether it does not return
    return decl;
}

}  // namespace

void Instrument::call(gimple_stmt_iterator& at) {
    gimple* statement = gsi_stmt(at);
    tree callee = gimple_call_fndecl(statement);
    if (callee && !moves_locals(statement))
        if (tree other = replacement_of(callee)) {
            gimple_call_set_fndecl(as_a<gcall*>(statement), other);
            if (moves_bytes(callee) || TREE_THIS_VOLATILE(callee))
                runtime_call(at, callee);  // for its place
        }
    if (callee && (lookup_attribute("tilereel_call", DECL_ATTRIBUTES(callee)) ||
                   lookup_attribute("tilereel_access", DECL_ATTRIBUTES(callee))))
        runtime_call(at, callee);
    for (unsigned i = 0; i < gimple_call_num_args(statement); ++i) {
        tree argument = gimple_call_arg(statement, i);
        if (!is_gimple_val(argument) && is_memory(argument) && is_recorded(argument))
            gimple_call_set_arg(statement, i, load(at, argument));
    }
    tree target = gimple_call_lhs(statement);
    if (target && is_memory(target) && is_recorded(target))
        gimple_call_set_lhs(statement, store(at, target, NULL_TREE));
    if (wide_) stored(at), gsi_prev(&at);
    if (callee && is_device_function(callee)) device_call(at);
    if (callee && !is_device_function(callee) && is_host_function_of_user(callee)) host_call(at);
    target = gimple_call_lhs(statement);
    if (!target || !has_value(TREE_TYPE(target))) return;
    const bool fused = gimple_call_builtin_p(statement, BUILT_IN_FMAF) ||
                       gimple_call_builtin_p(statement, BUILT_IN_FMA) ||
                       (callee && lookup_attribute("tilereel_fma", DECL_ATTRIBUTES(callee)));
    if (fused || is_named_local(target))
        value_after(at, is_named_local(target) ? target : NULL_TREE, target,
                    fused ? kMultiplyAdd : kLocal);
}

// Puts a hook before a call of the runtime. A function with the attribute tilereel_access counts as
// an access of what its first argument points to. Any other function only learns its call's place.
void Instrument::runtime_call(gimple_stmt_iterator& at, tree callee) {
    gimple* statement = gsi_stmt(at);
    tree access = lookup_attribute("tilereel_access", DECL_ATTRIBUTES(callee));
    if (access && gimple_call_num_args(statement) > 0) {
        const std::string what = TREE_STRING_POINTER(TREE_VALUE(TREE_VALUE(access)));
        tree pointer = gimple_call_arg(statement, 0), written = pointer;
        if (is_address_of_local(pointer)) return;
        if (what == "load" || what == "update")
            pointer = pointed_access(at, callee, hooks().load, kLoad, pointer);
        if (what != "load")
            pointer = written =
                what == "atomic" ? pointed_access(at, callee, hooks().atomic, kAtomic, pointer)
                                 : pointed_access(at, callee, hooks().store_wide, kStore, pointer);
        gimple_call_set_arg(statement, 0, pointer);
        if (what == "load" || stmt_ends_bb_p(statement)) return;
        gcall* after = gimple_build_call(hooks().stored, 1, written);
        gimple_set_location(after, location_);
        gsi_insert_after(&at, after, GSI_SAME_STMT);
        return;
    }
    tree place = site(location_, {"", "", IDENTIFIER_POINTER(DECL_NAME(callee))}, kCall, 0, 0, {},
                      NULL_TREE);
    gcall* hooked = gimple_build_call(hooks().at, 1, place);
    gimple_set_location(hooked, location_);
    gsi_insert_before(&at, hooked, GSI_SAME_STMT);
}

// Puts the hook of an access before a call, whose first argument points to what is accessed.
// Returns the pointer that the hook returns.
tree Instrument::pointed_access(gimple_stmt_iterator& at, tree callee, tree hook, Kind kind,
                                tree pointer) {
    tree parameter = TREE_VALUE(TYPE_ARG_TYPES(TREE_TYPE(callee)));
    tree type = TREE_TYPE(parameter), declaration = DECL_P(pointer) ? pointer : NULL_TREE;
    tree variable = NULL_TREE;
    const bool is_member = TREE_CODE(TREE_TYPE(callee)) == METHOD_TYPE;
    if (TREE_CODE(pointer) == ADDR_EXPR || is_member) {
        tree base = TREE_CODE(pointer) == ADDR_EXPR ? get_base_address(TREE_OPERAND(pointer, 0))
                                                    : variable_behind(at, pointer);
        if (base && DECL_P(base)) {
            declaration = base;
            if (is_shared(base)) note_shared(base);
            if (is_shared(base) || is_device_variable(base)) variable = Descriptors::variable(base);
        }
    }
    if (!in_library_ && TREE_CODE(pointer) == ADDR_EXPR)
        subscripts_.add(at, TREE_OPERAND(pointer, 0), kind != kLoad, location_);
    else if (!in_library_)
        subscripts_.add_pointed(at, pointer, kind != kLoad, location_);
    SiteText text = text_of(declaration);
    if (!is_member) text.callee = IDENTIFIER_POINTER(DECL_NAME(callee));
    address_ = arithmetic_->address_of(pointer);
    tree place = site(location_, text, kind, size_of(type), TYPE_ALIGN_UNIT(type),
                      element_type(type), variable);
    address_ = 0;
    gcall* hooked = gimple_build_call(hook, 2, pointer, place);
    if (kind == kLoad) put_inline(hooked, TYPE_ALIGN_UNIT(type));
    tree target = create_tmp_reg(ptr_type_node);
    gimple_call_set_lhs(hooked, target);
    gimple_set_location(hooked, location_);
    gsi_insert_before(&at, hooked, GSI_SAME_STMT);
    return target;
}

// A __host__ __device__ function may call host code, of which nvcc only warns. A kernel must not
// come there.
void Instrument::host_call(gimple_stmt_iterator& at) {
    tree callee = gimple_call_fndecl(gsi_stmt(at));
    tree place = site(location_, {"", "", IDENTIFIER_POINTER(DECL_NAME(callee))}, kCall, 0, 0, {},
                      NULL_TREE);
    gcall* told = gimple_build_call(hooks().host_call, 1, place);
    gimple_set_location(told, location_);
    gsi_insert_before(&at, told, GSI_SAME_STMT);
}

void Instrument::device_call(gimple_stmt_iterator& at) {
    if (stmt_ends_bb_p(gsi_stmt(at))) return;
    tree callee = gimple_call_fndecl(gsi_stmt(at));
    tree place = site(location_, {"", "", IDENTIFIER_POINTER(DECL_NAME(callee))}, kEnter, 0, 0, {},
                      NULL_TREE);
    gcall* enter = gimple_build_call(hooks().enter, 1, place);
    gcall* leave = gimple_build_call(hooks().leave, 1, place);
    gimple_set_location(enter, location_);
    gimple_set_location(leave, location_);
    // What is wrong in a library is told of the user's line.
    if (is_in_library(callee) && !in_library_) {
        gcall* const told = gimple_build_call(hooks().at, 1, place);
        gimple_set_location(told, location_);
        gsi_insert_before(&at, told, GSI_SAME_STMT);
    }
    gsi_insert_before(&at, enter, GSI_SAME_STMT);
    gsi_insert_after(&at, leave, GSI_NEW_STMT);
    gsi_prev(&at);
}

}  // namespace tilereel::runtime

#include "hook_declarations.h"

#include "place_inline_hooks.h"

namespace tilereel::runtime {
namespace {

tree declare(const char* name, tree type) {
    tree decl = build_fn_decl(name, type);
    TREE_NOTHROW(decl) = 1;
    return decl;
}

Hooks make() {
    tree pointer = ptr_type_node, none = void_type_node, offset = unsigned_type_node;
    const auto access = [&](tree value) {
        return value ? build_function_type_list(pointer, pointer, pointer, value, NULL_TREE)
                     : build_function_type_list(pointer, pointer, pointer, NULL_TREE);
    };
    const auto result = [&](tree value) {
        return build_function_type_list(none, pointer, value, offset, NULL_TREE);
    };
    tree one = build_function_type_list(none, pointer, NULL_TREE);
    Hooks made;
    made.load = declare("tilereel_load", access(NULL_TREE));
    made.store_int = declare("tilereel_store_int", access(long_unsigned_type_node));
    made.store_float = declare("tilereel_store_float", access(float_type_node));
    made.store_double = declare("tilereel_store_double", access(double_type_node));
    made.store_wide = declare("tilereel_store_wide", access(NULL_TREE));
    made.atomic = declare("tilereel_atomic", access(NULL_TREE));
    made.value_int = declare("tilereel_value_int", result(long_unsigned_type_node));
    made.value_float = declare("tilereel_value_float", result(float_type_node));
    made.value_double = declare("tilereel_value_double", result(double_type_node));
    made.stored = declare("tilereel_stored", one);
    made.at = declare("tilereel_at", one);
    made.enter = declare("tilereel_enter", one);
    made.leave = declare("tilereel_leave", one);
    made.host_call = declare("tilereel_host_call", one);
    made.shared =
        declare("tilereel_shared", build_function_type_list(none, pointer, pointer, NULL_TREE));
    made.subscript = declare(
        "tilereel_subscript",
        build_function_type_list(none, pointer, long_integer_type_node, long_integer_type_node,
                                 long_integer_type_node, long_integer_type_node, NULL_TREE));
    made.begin = declare("tilereel_begin", one);
    made.kernel = declare("tilereel_kernel", build_function_type_list(pointer, pointer, NULL_TREE));
    made.entry = declare("tilereel_entry", build_function_type_list(pointer, pointer, NULL_TREE));
    return made;
}

Hooks made;
bool are_made = false;

}  // namespace

const Hooks& hooks() {
    if (!are_made) made = make();
    are_made = true;
    return made;
}

void mark_hooks() {
    if (!are_made) return;
    for (tree hook : {made.load, made.store_int, made.store_float, made.store_double,
                      made.store_wide, made.stored, made.atomic, made.value_int, made.value_float,
                      made.value_double, made.at, made.enter, made.leave, made.host_call,
                      made.shared, made.subscript, made.kernel, made.begin, made.entry})
        gt_ggc_mx_tree_node(hook);
}

bool is_hook(tree function) {
    const Hooks& known = hooks();
    for (tree hook : {known.load, known.store_int, known.store_float, known.store_double,
                      known.store_wide, known.stored, known.atomic, known.value_int,
                      known.value_float, known.value_double, known.at, known.enter, known.leave,
                      known.host_call, known.shared, known.subscript, known.begin})
        if (hook == function) return true;
    return is_inline_hook(function);
}

}  // namespace tilereel::runtime

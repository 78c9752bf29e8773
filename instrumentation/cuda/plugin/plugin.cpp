// A plugin for g++. In device functions, which CUDA's __global__ and __device__ mark, it puts a
// call of a hook (hooks.h) at every access of memory other than locals, at every floating-point sum
// of a product, and at every assignment to a named local. It does so right after the control-flow
// graph is built, before anything is optimised. In host code it changes only the calls of kernels.
#include "adopted_functions.h"
#include "device_rules.h"
#include "gcc.h"
#include "hook_declarations.h"
#include "inline_ptx.h"
#include "instrument.h"
#include "statements/assigned_places.h"
#include "statements/assigned_values.h"
#include "submission_rules.h"
#include "unhooked.h"

int plugin_is_GPL_compatible;

namespace {

using tilereel::runtime::Descriptors;
using tilereel::runtime::hooks;
using tilereel::runtime::Instrument;

bool marked(tree decl, const char* attribute) {
    return lookup_attribute(attribute, DECL_ATTRIBUTES(decl)) != NULL_TREE;
}

// Whether the call goes through a pointer to a function that returns nothing, so possibly to a
// kernel.
bool may_call_kernel(gimple* call) {
    tree function = gimple_call_fn(call);
    if (!function || TREE_CODE(function) == OBJ_TYPE_REF || gimple_call_internal_p(call))
        return false;
    tree type = gimple_call_fntype(call);
    return type && TREE_CODE(type) == FUNCTION_TYPE && VOID_TYPE_P(TREE_TYPE(type)) &&
           (VAR_P(function) || TREE_CODE(function) == PARM_DECL);
}

// Makes host code call kernels through a pointer that the runtime chooses.
void redirect_kernel_calls(function* function) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, function)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        gimple* statement = gsi_stmt(at);
        if (!is_gimple_call(statement)) continue;
        tree callee = gimple_call_fndecl(statement);
        gcall* lookup = NULL;
        if (callee && marked(callee, "tilereel_global"))
            lookup = gimple_build_call(
                hooks().kernel, 1, build_fold_addr_expr(Descriptors::kernel_descriptor(callee)));
        else if (!callee && may_call_kernel(statement))
            lookup = gimple_build_call(hooks().entry, 1, gimple_call_fn(statement));
        if (!lookup) continue;
        tree entry = create_tmp_reg(build_pointer_type(gimple_call_fntype(statement)));
        gimple_call_set_lhs(lookup, entry);
        gsi_insert_before(&at, lookup, GSI_SAME_STMT);
        gimple_call_set_fn(as_a<gcall*>(statement), entry);
    }
}

// Products that overflow call a function of ours, not the sanitizer's of the same kind, which the
// program may bring along.
void name_overflow_handler() {
    static bool named = false;
    if (named) return;
    named = true;
    initialize_sanitizer_builtins();
    set_builtin_user_assembler_name(builtin_decl_explicit(BUILT_IN_UBSAN_HANDLE_MUL_OVERFLOW),
                                    "tilereel_product_overflow");
}

// Passes of -O2 take a time that grows with the square of a function's branches: a chain of 1,000
// `else if` took a minute. Large functions are optimised less.
void limit_optimization(function* function) {
    constexpr int kManyBlocks = 800;
    if (n_basic_blocks_for_fn(function) < kManyBlocks) return;
    const char none[] = "no-tree-pta";
    tree arguments = tree_cons(NULL_TREE, build_string(sizeof none, none), NULL_TREE);
    arguments = tree_cons(NULL_TREE, build_int_cst(integer_type_node, 1), arguments);
    tree decl = function->decl;
    decl_attributes(&decl, tree_cons(get_identifier("optimize"), arguments, NULL_TREE), 0);
}

const pass_data kPass = {
    GIMPLE_PASS, "tilereel", OPTGROUP_NONE, TV_NONE, PROP_gimple_any | PROP_cfg, 0, 0, 0, 0};

class Pass : public gimple_opt_pass {
  public:
    explicit Pass(gcc::context* context) : gimple_opt_pass(kPass, context) {}
    // After errors of other kinds, trees may be unsound.
    bool gate(function*) final override { return !seen_error() || breaks_rules_; }
    unsigned execute(function* function) final override {
        const bool device = tilereel::runtime::is_device_function(function->decl);
        if (device) tilereel::runtime::check_device_rules(function);
        tilereel::runtime::check_submission(function);
        breaks_rules_ = seen_error();
        if (breaks_rules_) return 0;
        if (device) {
            limit_optimization(function);
            name_overflow_handler();
            tilereel::runtime::adopt_called_functions(function);
            Instrument(function).run();
        } else {
            redirect_kernel_calls(function);
        }
        return 0;
    }

  private:
    bool breaks_rules_ = false;  // the code breaks a rule, which is an error
};

const pass_data kUnhookedPass = {
    SIMPLE_IPA_PASS, "tilereel_unhooked", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

class UnhookedPass : public simple_ipa_opt_pass {
  public:
    explicit UnhookedPass(gcc::context* context) : simple_ipa_opt_pass(kUnhookedPass, context) {}
    bool gate(function*) final override { return !seen_error(); }
    unsigned execute(function*) final override {
        tilereel::runtime::check_submitted_calls();
        tilereel::runtime::make_unhooked_versions();
        return 0;
    }
};

// Device code has no exceptions.
tree no_exceptions(tree* node, tree, tree, int, bool*) {
    if (TREE_CODE(*node) == FUNCTION_DECL) TREE_NOTHROW(*node) = 1;
    return NULL_TREE;
}

attribute_spec attributes[] = {
    // name, arguments, for a declaration, for a type, for a function's type, changes types
    {"tilereel_global", 0, 0, true, false, false, false, no_exceptions, NULL},
    {"tilereel_device", 0, 0, true, false, false, false, no_exceptions, NULL},
    {"tilereel_adopted", 0, 0, true, false, false, false, NULL, NULL},
    {"tilereel_host", 0, 0, true, false, false, false, NULL, NULL},
    {"tilereel_shared", 0, 0, true, false, false, false, NULL, NULL},
    {"tilereel_dynamic", 0, 0, true, false, false, false, NULL, NULL},
    {"tilereel_constant", 0, 0, true, false, false, false, NULL, NULL},
    {"tilereel_built_in", 0, 0, true, false, false, false, NULL, NULL},
    {"tilereel_call", 0, 0, true, false, false, false, NULL, NULL},
    {"tilereel_fma", 0, 0, true, false, false, false, NULL, NULL},
    {"tilereel_access", 1, 1, true, false, false, false, NULL, NULL},
    {"tilereel_cluster", 1, 3, true, false, false, false, NULL, NULL},
};

void register_attributes(void*, void*) {
    for (const attribute_spec& attribute : attributes) register_attribute(&attribute);
}

void mark_trees(void*, void*) {
    Descriptors::mark();
    tilereel::runtime::mark_hooks();
}

void at_declaration(void* decl, void*) {
    tilereel::runtime::check_shared_variable(static_cast<tree>(decl));
}

void before_generic(void* function, void*) {
    tilereel::runtime::replace_inline_ptx(static_cast<tree>(function));
    tilereel::runtime::keep_assigned_places(static_cast<tree>(function));
    tilereel::runtime::keep_assigned_values(static_cast<tree>(function));
}

}  // namespace

int plugin_init(plugin_name_args* plugin, plugin_gcc_version* version) {
    if (!plugin_default_version_check(version, &gcc_version)) return 1;
    for (int i = 0; i < plugin->argc; ++i) {
        const plugin_argument& argument = plugin->argv[i];
        if (strcmp(argument.key, "sums-only") == 0) tilereel::runtime::hooks_assignments = false;
        if (strcmp(argument.key, "submission") == 0 && argument.value)
            tilereel::runtime::submission = argument.value;
    }
    register_pass_info pass;
    pass.pass = new Pass(g);
    pass.reference_pass_name = "cfg";
    pass.ref_pass_instance_number = 1;
    pass.pos_op = PASS_POS_INSERT_AFTER;
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
    register_pass_info unhooked;
    unhooked.pass = new UnhookedPass(g);
    unhooked.reference_pass_name = "build_ssa_passes";
    unhooked.ref_pass_instance_number = 1;
    unhooked.pos_op = PASS_POS_INSERT_AFTER;
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &unhooked);
    register_callback(plugin->base_name, PLUGIN_FINISH_DECL, at_declaration, NULL);
    register_callback(plugin->base_name, PLUGIN_PRE_GENERICIZE, before_generic, NULL);
    register_callback(plugin->base_name, PLUGIN_GGC_MARKING, mark_trees, NULL);
    register_callback(plugin->base_name, PLUGIN_ATTRIBUTES, register_attributes, NULL);
    return 0;
}

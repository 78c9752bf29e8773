#include "unhooked.h"

#include <map>
#include <string>
#include <vector>

#include "descriptors.h"
#include "hook_declarations.h"

namespace tilereel::runtime {
namespace {

using Versions = std::map<cgraph_node*, cgraph_node*>;  // without hooks, by function

// Removes a call of a hook. If its result is used, the hook's first argument, an address, takes its
// place.
void drop_hook(gimple_stmt_iterator& at) {
    gimple* statement = gsi_stmt(at);
    tree target = gimple_call_lhs(statement);
    tree memory = gimple_vdef(statement);
    unlink_stmt_vdef(statement);
    if (memory && TREE_CODE(memory) == SSA_NAME) release_ssa_name(memory);
    if (target) {
        gsi_replace(&at, gimple_build_assign(target, gimple_call_arg(statement, 0)), true);
        gsi_next(&at);
    } else {
        gsi_remove(&at, true);
    }
}

// Whether a call of a hook must stay. The hook `at` gives a warp collective its site, by which
// lanes find each other. __syncthreads() does not need it, nor does a library's function.
bool is_needed(gimple_stmt_iterator at, tree hook) {
    if (hook != hooks().at) return false;
    gsi_next(&at);
    if (gsi_end_p(at)) return true;
    gimple* next = gsi_stmt(at);
    tree callee = is_gimple_call(next) ? gimple_call_fndecl(next) : NULL_TREE;
    if (!callee || !DECL_NAME(callee)) return true;
    return callee != hooks().enter && !id_equal(DECL_NAME(callee), "__syncthreads");
}

void drop_hooks(function* function) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, function)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at);) {
        gimple* statement = gsi_stmt(at);
        tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
        if (callee && is_hook(callee) && !is_needed(at, callee))
            drop_hook(at);
        else
            gsi_next(&at);
    }
}

// Resets the execution counts. GCC gives the copy those of a function that never runs.
void forget_counts(cgraph_node* node, function* function) {
    basic_block bb;
    FOR_ALL_BB_FN(bb, function) bb->count = profile_count::uninitialized();
    profile_status_for_fn(function) = PROFILE_ABSENT;
    node->count = profile_count::uninitialized();
    node->frequency = NODE_FREQUENCY_NORMAL;
    node->local = false;  // a kernel's callers are not known
}

// Redirects calls to the versions without hooks.
void redirect_calls(function* function, const Versions& versions) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, function)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        gimple* statement = gsi_stmt(at);
        tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
        cgraph_node* node = callee ? cgraph_node::get(callee) : NULL;
        if (!node) continue;
        const auto found = versions.find(node->ultimate_alias_target());
        if (found == versions.end()) continue;
        gimple_call_set_fndecl(as_a<gcall*>(statement), found->second->decl);
        update_stmt(statement);
    }
}

// Sets Kernel::unhooked of each kernel's descriptor.
void set_entries(const Versions& versions) {
    for (const auto& [kernel, descriptor] : Descriptors::kernel_descriptors()) {
        cgraph_node* node = cgraph_node::get(kernel);
        const auto found = versions.find(node ? node->ultimate_alias_target() : NULL);
        if (found == versions.end()) continue;
        constructor_elt& entry = (*CONSTRUCTOR_ELTS(DECL_INITIAL(descriptor)))[1];
        entry.value =
            build1(NOP_EXPR, const_ptr_type_node, build_fold_addr_expr(found->second->decl));
        found->second->mark_address_taken();
        varpool_node::get(descriptor)->create_reference(found->second, IPA_REF_ADDR);
    }
}

}  // namespace

void make_unhooked_versions() {
    std::vector<cgraph_node*> device, host;
    cgraph_node* node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
        if (node->alias || node->thunk || !node->has_gimple_body_p()) continue;
        (is_device_function(node->decl) ? device : host).push_back(node);
    }
    Versions versions;
    for (cgraph_node* hooked : device)
        versions[hooked] = hooked->create_version_clone_with_body(vec<cgraph_edge*>(), NULL, NULL,
                                                                  NULL, NULL, "unhooked");
    const auto change = [&](cgraph_node* changed, bool is_version) {
        push_cfun(DECL_STRUCT_FUNCTION(changed->decl));
        if (is_version) {
            drop_hooks(cfun);
            forget_counts(changed, cfun);
        }
        redirect_calls(cfun, versions);
        cgraph_edge::rebuild_edges();
        pop_cfun();
    };
    for (const auto& [hooked, version] : versions) change(version, true);
    for (cgraph_node* caller : host) change(caller, false);
    set_entries(versions);
}

}  // namespace tilereel::runtime

// Why. nvcc compiles what device code calls for the device, even where it has no __device__. Such a
// function gets hooks like any other, else its accesses would be missing. Host code calls the
// version without hooks (unhooked.h), so that its calls cost nothing.
#include "adopted_functions.h"

#include <set>
#include <string>

#include "descriptors.h"
#include "device_rules.h"
#include "instrument.h"
#include "references.h"

namespace tilereel::runtime {
namespace {

// Functions of the C++ library that pass references on and access nothing.
bool only_passes_on(tree callee) {
    static const std::set<std::string> names = {"move", "forward", "addressof", "__addressof",
                                                "launder"};
    return DECL_NAME(callee) && names.count(IDENTIFIER_POINTER(DECL_NAME(callee)));
}

bool can_adopt(tree callee) {
    return !is_device_function(callee) && !fndecl_built_in_p(callee) &&
           !DECL_IS_OPERATOR_NEW_P(callee) && !is_of_our_headers(callee) &&
           !is_host_function_of_user(callee) &&
           (DECL_SAVED_TREE(callee) || gimple_has_body_p(callee)) && !only_passes_on(callee) &&
           !lookup_attribute("tilereel_host", DECL_ATTRIBUTES(callee));
}

// Device code has no exceptions. A call that may throw ends its block, with no place for a hook.
void never_throws(gimple* call) {
    gimple_call_set_nothrow(as_a<gcall*>(call), true);
    if (maybe_clean_eh_stmt(call)) gimple_purge_dead_eh_edges(gimple_bb(call));
}

void adopt(tree callee) {
    DECL_ATTRIBUTES(callee) =
        tree_cons(get_identifier("tilereel_adopted"), NULL_TREE,
                  tree_cons(get_identifier("tilereel_device"), NULL_TREE, DECL_ATTRIBUTES(callee)));
    struct function* const body = DECL_STRUCT_FUNCTION(callee);
    if (!body || !body->cfg) return;  // its turn is still to come
    push_cfun(body);
    adopt_called_functions(body);
    Descriptors::keeps_data = true;
    Instrument(body).run();
    Descriptors::keeps_data = false;
    cgraph_edge::rebuild_edges();
    pop_cfun();
}

}  // namespace

void adopt_called_functions(function* caller) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, caller)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        if (!is_gimple_call(gsi_stmt(at)) || gimple_call_internal_p(gsi_stmt(at))) continue;
        tree callee = gimple_call_fndecl(gsi_stmt(at));
        if (!callee) {
            never_throws(gsi_stmt(at));
            continue;
        }
        cgraph_node* const node = cgraph_node::get(callee);
        tree body = node ? node->ultimate_alias_target()->decl : callee;
        for (tree each : {body, callee})
            if (can_adopt(each)) adopt(each);
        if (is_device_function(callee)) never_throws(gsi_stmt(at));
    }
}

bool is_adopted(tree function) {
    return lookup_attribute("tilereel_adopted", DECL_ATTRIBUTES(function)) != NULL_TREE;
}

}  // namespace tilereel::runtime

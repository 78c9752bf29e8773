// An inline hook takes the position among the expected events from a local variable. The variable
// is read from the runtime's position at the beginning of the function and after each call of
// another function, which advances that position. It is written back before these calls and at the
// end.
#include "place_inline_hooks.h"

#include <string>
#include <vector>

#include "hook_declarations.h"

namespace tilereel::runtime {
namespace {

// A function of include/tilereel/inline_hooks.h; null in a file that does not include it.
tree find(const char* name) {
    tree found = get_global_binding(get_identifier(name));
    if (found && TREE_CODE(found) == OVERLOAD) found = OVL_FIRST(found);
    return found && TREE_CODE(found) == FUNCTION_DECL ? found : NULL_TREE;
}

tree inline_version_of(tree hook) {
    const Hooks& known = hooks();
    return find(hook == known.load          ? "tilereel_inline_load"
                : hook == known.store_int   ? "tilereel_inline_store_int"
                : hook == known.store_float ? "tilereel_inline_store_float"
                : hook == known.value_int   ? "tilereel_inline_value_int"
                                            : "tilereel_inline_value_float");
}

// Whether a call can run hooks. GCC's built-in functions run none, and neither does the finding of
// a subscript.
bool may_run_hooks(gimple* call) {
    if (gimple_call_internal_p(call)) return false;
    tree callee = gimple_call_fndecl(call);
    return !callee || (!fndecl_built_in_p(callee) && callee != hooks().subscript);
}

class PositionInFunction {
  public:
    explicit PositionInFunction(const InlineHooks& inlined)
        : inlined_(inlined),
          read_(find("tilereel_read_position")),
          write_(find("tilereel_write_position")) {}

    void run(function* function) {
        if (!read_ || !write_ || inlined_.empty()) return;
        position_ = create_tmp_var(TREE_TYPE(TREE_TYPE(DECL_ARGUMENTS(read_))), "position");
        TREE_ADDRESSABLE(position_) = 1;
        basic_block bb;
        FOR_EACH_BB_FN(bb, function)
        for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
            statement(at);
        read_on_.push_back(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(function)));
        for (edge place : read_on_) gsi_insert_on_edge_immediate(place, call_of(read_));
    }

  private:
    gcall* call_of(tree hook) const {
        return gimple_build_call(hook, 1, build_fold_addr_expr(position_));
    }

    void statement(gimple_stmt_iterator& at) {
        gimple* const here = gsi_stmt(at);
        if (gimple_code(here) == GIMPLE_RETURN)
            gsi_insert_before(&at, call_of(write_), GSI_SAME_STMT);
        if (!is_gimple_call(here)) return;
        if (inlined_.count(here)) {
            put_inline(at);
        } else if (may_run_hooks(here)) {
            gsi_insert_before(&at, call_of(write_), GSI_SAME_STMT);
            if (!stmt_ends_bb_p(here))
                gsi_insert_after(&at, call_of(read_), GSI_NEW_STMT);
            else if (edge next = find_fallthru_edge(gimple_bb(here)->succs))
                read_on_.push_back(next);
        }
    }

    void put_inline(gimple_stmt_iterator& at) {
        gimple* const before = gsi_stmt(at);
        tree hook = gimple_call_fndecl(before);
        auto_vec<tree> arguments;
        for (unsigned i = 0; i < gimple_call_num_args(before); ++i)
            arguments.safe_push(gimple_call_arg(before, i));
        arguments.safe_push(build_fold_addr_expr(position_));
        if (hook != hooks().value_int && hook != hooks().value_float)
            arguments.safe_push(build_int_cst(unsigned_type_node, inlined_.at(before)));
        gcall* const call = gimple_build_call_vec(inline_version_of(hook), arguments);
        gimple_call_set_lhs(call, gimple_call_lhs(before));
        gimple_set_location(call, gimple_location(before));
        gsi_replace(&at, call, false);
    }

    const InlineHooks& inlined_;
    tree read_, write_;
    tree position_ = NULL_TREE;
    std::vector<edge> read_on_;  // the edges on which the position is read
};

}  // namespace

void use_inline_hooks(function* function, const InlineHooks& inlined) {
    PositionInFunction(inlined).run(function);
}

bool is_inline_hook(tree function) {
    if (!DECL_NAME(function)) return false;
    const std::string name = IDENTIFIER_POINTER(DECL_NAME(function));
    return name.rfind("tilereel_inline_", 0) == 0 || name == "tilereel_read_position" ||
           name == "tilereel_write_position";
}

}  // namespace tilereel::runtime

#pragma once
// Inserts hooks into one device function.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "arithmetic/arithmetic_of_sites.h"
#include "descriptors.h"
#include "gcc.h"
#include "place_inline_hooks.h"
#include "subscripts.h"

namespace tilereel::runtime {

// The values of SiteKind (hooks.h) that the plugin uses.
enum Kind : unsigned {
    kLoad = 0,
    kStore = 1,
    kAtomic = 2,
    kMultiplyAdd = 3,
    kLocal = 4,
    kCall = 5,
    kEnter = 6,
    kParameter = 7,
};

// What the runtime makes of a call has the ordinals behind the call's: Site::kOrdinalsOfCall of
// hooks.h.
constexpr unsigned kOrdinalsOfCall = 512;

// Whether assignments to named locals get hooks, or only sums of products. The same for the whole
// program.
extern bool hooks_assignments;

class Instrument {
  public:
    explicit Instrument(function* function);
    void run();

  private:
    using LoopPointer = decltype(basic_block_def::loop_father);
    void block(basic_block bb);
    void assignment(gimple_stmt_iterator& at);
    void call(gimple_stmt_iterator& at);
    void runtime_call(gimple_stmt_iterator& at, tree callee);
    tree pointed_access(gimple_stmt_iterator& at, tree callee, tree hook, Kind kind, tree pointer);
    void device_call(gimple_stmt_iterator& at);
    void host_call(gimple_stmt_iterator& at);
    void on_entry();

    // Returns the memory reference, redirected through a hook. A reference to a local is returned
    // unchanged.
    tree load(gimple_stmt_iterator& at, tree reference);
    tree store(gimple_stmt_iterator& at, tree reference, tree value);
    void stored(gimple_stmt_iterator& at);
    tree redirect(gimple_stmt_iterator& at, tree reference, tree hook, Kind kind, tree value);
    tree packed(gimple_stmt_iterator& at, tree reference, Kind kind);
    void put_inline(gcall* hooked, unsigned align);
    void value_after(gimple_stmt_iterator& at, tree target, tree value, Kind kind);
    void insert_value(gimple_seq* sequence, tree target, tree value, Kind kind);
    void note_sum(gimple_stmt_iterator& at);
    void check_overflow(gimple_stmt_iterator& at);
    void check_local(gimple_stmt_iterator& at, tree reference, bool is_store);
    void note_local(gimple_stmt_iterator& at, tree reference, Kind kind);

    tree site(location_t location, const SiteText& text, Kind kind, unsigned width, unsigned align,
              ElementType element, tree variable);
    tree loop_of(LoopPointer loop);
    void note_shared(tree decl);
    void note_shared_operands(gimple* statement);

    function* function_;
    Descriptors descriptors_;
    const bool in_library_;    // the function is a library's: its locals are not the user's
    tree wide_ = NULL_TREE;    // the address of a store whose value must be read afterwards
    bool keeps_rest_ = false;  // the load is of bytes of which a store keeps a part
    basic_block block_ = NULL;
    unsigned address_ = 0;  // of the access whose site is made: ValueFlow::Address
    location_t location_ = UNKNOWN_LOCATION;
    unsigned ordinal_ = 0;
    std::map<LoopPointer, unsigned> loop_ordinals_;
    std::map<LoopPointer, tree> loops_;
    std::set<tree> products_, sums_;  // temporaries of the block
    std::vector<tree> shared_;        // variables, in the order of their first use
    std::vector<tree> pointed_at_;    // device variables whose address is taken
    InlineHooks inlined_;
    SubscriptChecks subscripts_;
    std::optional<ArithmeticOfSites> arithmetic_;
};

}  // namespace tilereel::runtime

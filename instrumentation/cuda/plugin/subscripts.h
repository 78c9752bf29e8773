#pragma once
// Finds subscripts that lie outside of their extent. Bs[7][31] of a __shared__ float Bs[32][31] is
// an address inside Bs, so what is recorded does not show the mistake: only the source has the
// subscript and the extent.
#include <vector>

#include "gcc.h"

namespace tilereel::runtime {

// Why. A check is a branch before the access, which calls the runtime where a subscript lies
// outside. The optimiser removes the branches of subscripts that it knows to lie inside, such as
// counters of loops, and versions of a function without hooks have none. Checks are collected
// first, because a branch splits the block that is being worked on:
//
//     tilereel_subscript(place, ty, tx);      ->      if (tx > 30u) tilereel_subscript(place, ty,
//     tx);
//     ... = Bs[ty][tx];                               ... = Bs[ty][tx];
class SubscriptChecks {
  public:
    // Puts a check before the statement, which accesses `reference`, if one of its subscripts may
    // lie outside of an extent that is known. Not of the outermost subscript of an array that is
    // recorded: the runtime finds these by their address.
    void add(gimple_stmt_iterator& at, tree reference, bool is_store, location_t location);
    // The same for the reference whose address a temporary has.
    void add_pointed(gimple_stmt_iterator& at, tree pointer, bool is_store, location_t location);
    // Makes branches of the checks. The function's control-flow graph must be free to change.
    void place();

  private:
    struct Check {
        gcall* call;
        std::vector<unsigned> extents;  // 0: not checked
    };
    std::vector<Check> checks_;
};

}  // namespace tilereel::runtime

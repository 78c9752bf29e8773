#include "flow.h"

#include <algorithm>
#include <set>

namespace tilereel::runtime {
namespace {

using LoopPointer = decltype(basic_block_def::loop_father);

// Sorts the blocks loop by loop. The nodes of a loop are its own blocks and the headers of the
// loops directly inside it; each of these headers stands for its whole loop.
class Order {
  public:
    explicit Order(function* function) : function_(function) {}
    std::vector<basic_block> run() {
        emit(function_->cfg->x_entry_block_ptr->loop_father, function_->cfg->x_entry_block_ptr);
        // Blocks that nothing reaches keep their order.
        const std::set<basic_block> reached(result_.begin(), result_.end());
        basic_block bb;
        FOR_EACH_BB_FN(bb, function_)
        if (reached.count(bb) == 0) result_.push_back(bb);
        return result_;
    }

  private:
    // The node of `bb` among the direct members of `loop`; null outside of it.
    static basic_block node_of(basic_block bb, LoopPointer loop) {
        LoopPointer inner = bb->loop_father;
        if (inner == loop) return bb;
        while (inner && loop_outer(inner) != loop) inner = loop_outer(inner);
        return inner ? inner->header : NULL;
    }
    void emit(LoopPointer loop, basic_block head) {
        std::vector<basic_block> finished;
        std::set<basic_block> seen{head};
        visit(loop, head, seen, finished);
        std::reverse(finished.begin(), finished.end());
        for (basic_block node : finished) {
            if (node->loop_father == loop)
                result_.push_back(node);
            else
                emit(node->loop_father, node);
        }
    }
    void visit(LoopPointer loop, basic_block node, std::set<basic_block>& seen,
               std::vector<basic_block>& finished) {
        for (basic_block next : successors(loop, node))
            if (seen.insert(next).second) visit(loop, next, seen, finished);
        finished.push_back(node);
    }
    // The successors of a node, without edges that leave the loop or return to its head.
    std::vector<basic_block> successors(LoopPointer loop, basic_block node) {
        std::vector<basic_block> members{node};
        if (node->loop_father != loop) {
            members.clear();
            basic_block bb;
            FOR_EACH_BB_FN(bb, function_)
            if (node_of(bb, loop) == node) members.push_back(bb);
        }
        std::vector<basic_block> result;
        for (basic_block bb : members) {
            edge e;
            edge_iterator it;
            FOR_EACH_EDGE(e, it, bb->succs) {
                basic_block next = node_of(e->dest, loop);
                if (next && next != node && e->dest != loop->header) result.push_back(next);
            }
        }
        return result;
    }

    function* function_;
    std::vector<basic_block> result_;
};

}  // namespace

std::vector<basic_block> blocks_in_order(function* function) { return Order(function).run(); }

}  // namespace tilereel::runtime

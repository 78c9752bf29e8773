#include "instrumentation/analysis/machine/machine_blocks.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilereel {
namespace {

bool ends_block(const MachineInstruction& each) {
    return each.kind == MachineKind::kBranch || each.kind == MachineKind::kExit ||
           each.kind == MachineKind::kReturn;
}

// Where one loop begins within another, it also ends there.
std::vector<MachineLoop> nested(const std::map<std::uint32_t, std::uint32_t>& ends) {
    std::vector<MachineLoop> loops;
    for (const auto& [first, last] : ends) loops.push_back({first, last});
    for (std::size_t i = loops.size(); i-- > 0;)
        for (std::size_t j = i + 1; j < loops.size(); ++j)
            if (loops[j].first <= loops[i].last)
                loops[i].last = std::max(loops[i].last, loops[j].last);
    return loops;
}

}  // namespace

MachineGraph graph_of(const MachineKernel& kernel) {
    const std::vector<MachineInstruction>& all = kernel.instructions;
    const auto count = static_cast<std::uint32_t>(all.size());
    std::set<std::uint32_t> starts = {0};
    for (std::uint32_t i = 0; i < count; ++i) {
        if (all[i].target && *all[i].target < count) starts.insert(*all[i].target);
        if (ends_block(all[i])) starts.insert(i + 1);
    }
    starts.erase(count);
    MachineGraph graph;
    std::map<std::uint32_t, std::uint32_t> block_at, loop_ends;
    for (auto start = starts.begin(); start != starts.end() && count != 0; ++start) {
        const auto next = std::next(start);
        block_at[*start] = static_cast<std::uint32_t>(graph.blocks.size());
        graph.blocks.push_back({.first = *start, .end = next == starts.end() ? count : *next});
    }
    for (std::uint32_t number = 0; number < graph.blocks.size(); ++number) {
        MachineBlock& block = graph.blocks[number];
        const MachineInstruction& last = all[block.end - 1];
        if (last.target && *last.target < count) {
            const std::uint32_t to = block_at.at(*last.target);
            block.followers.push_back(to);
            // A branch to itself stands behind the code, and never runs.
            const bool loops = to < number || (to == number && last.is_conditional);
            if (loops) loop_ends[to] = std::max(loop_ends[to], number);
        }
        block.may_end = last.kind == MachineKind::kExit || last.kind == MachineKind::kReturn;
        if (!ends_block(last) || last.is_conditional)
            if (block.end < count) block.followers.push_back(number + 1);
    }
    graph.loops = nested(loop_ends);
    return graph;
}

}  // namespace tilereel

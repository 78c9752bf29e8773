#include "instrumentation/analysis/machine/machine_executions.h"

#include <algorithm>

#include "instrumentation/analysis/machine/linear_program.h"

namespace tilereel {
namespace {

// Against the instructions of a whole kernel.
constexpr double kGainOfAccess = 1e4;
constexpr double kCostOfInstruction = 1e-2;

double bytes_of(const MachineInstruction& each) {
    return each.kind == MachineKind::kBarrier ? 1 : each.width_bytes;
}

class ExecutionProgram {
  public:
    ExecutionProgram(const MachineKernel& kernel, const MachineGraph& graph,
                     const PlaceOfInstruction& places,
                     const std::map<AccessPlace, RecordedAccesses>& recorded)
        : kernel_(kernel), graph_(graph), places_(places), recorded_(recorded) {}

    std::vector<double> solve() {
        for (const MachineBlock& block : graph_.blocks)
            program_.gains.push_back(-kCostOfInstruction * (block.end - block.first));
        // A warp begins once.
        if (!program_.gains.empty()) program_.gains[0] += kGainOfAccess;
        add_flow();
        add_accesses();
        add_entries();
        if (unknown_loop_) return {};
        std::vector<double> found = solution_of(program_);
        if (!found.empty()) found.resize(graph_.blocks.size());
        return found;
    }

  private:
    using Row = LinearProgram::Row;
    std::size_t add_variable(double gain) {
        program_.gains.push_back(gain);
        return program_.gains.size() - 1;
    }

    void add_flow() {
        std::vector<Row> into(graph_.blocks.size());
        for (std::size_t block = 0; block < graph_.blocks.size(); ++block)
            into[block].factors.emplace_back(block, 1);
        if (!into.empty()) into[0].limit = 1;  // the start
        for (std::size_t block = 0; block < graph_.blocks.size(); ++block) {
            Row out{.factors = {{block, 1}}};
            for (const std::uint32_t to : graph_.blocks[block].followers) {
                const std::size_t edge = add_variable(0);
                edges_[edge] = {block, to};
                program_.rows.push_back({.factors = {{edge, 1}, {block, -1}}});
                program_.rows.push_back({.factors = {{edge, 1}, {to, -1}}});
                out.factors.emplace_back(edge, -1);
                into[to].factors.emplace_back(edge, -1);
            }
            if (!graph_.blocks[block].may_end) program_.rows.push_back(std::move(out));
        }
        for (Row& row : into) program_.rows.push_back(std::move(row));
    }

    void add_accesses() {
        struct Accesses {
            std::map<std::size_t, double> always, perhaps;  // bytes, by block
            double all = 0;
        };
        std::map<AccessPlace, Accesses> found;
        for (std::size_t block = 0; block < graph_.blocks.size(); ++block)
            for (std::uint32_t i = graph_.blocks[block].first; i < graph_.blocks[block].end; ++i) {
                if (places_[i].access == AccessClass::kNone) continue;
                const MachineInstruction& each = kernel_.instructions[i];
                Accesses& accesses = found[places_[i]];
                (each.is_conditional ? accesses.perhaps : accesses.always)[block] += bytes_of(each);
                accesses.all += bytes_of(each);
            }
        for (const auto& [place, accesses] : found) {
            const auto known = recorded_.find(place);
            const RecordedAccesses recorded =
                known == recorded_.end() ? RecordedAccesses{.trips = 0, .bytes = 1} : known->second;
            // What a compiler has left out is not missed.
            const double trip = std::min(recorded.bytes, accesses.all);
            Row row{.factors = {}, .limit = recorded.trips};
            for (const auto& [block, bytes] : accesses.always) {
                row.factors.emplace_back(block, bytes / trip);
                program_.gains[block] += kGainOfAccess * bytes / trip;
            }
            for (const auto& [block, bytes] : accesses.perhaps) {
                const std::size_t run = add_variable(kGainOfAccess * bytes / trip);
                row.factors.emplace_back(run, bytes / trip);
                program_.rows.push_back({.factors = {{run, 1}, {block, -1}}});
            }
            program_.rows.push_back(std::move(row));
            for (const auto& [block, bytes] : accesses.always)
                most_[block] = std::max(most_[block], recorded.trips * trip / bytes);
        }
    }

    // A loop that runs is entered, once at least for as many trips as its accesses allow, and left.
    // Of a loop without accesses nothing says how often it runs.
    void add_entries() {
        for (const MachineLoop& loop : graph_.loops) {
            double most = 0;
            for (std::size_t block = loop.first; block <= loop.last; ++block)
                if (const auto known = most_.find(block); known != most_.end())
                    most = std::max(most, known->second);
            if (most <= 0) {
                unknown_loop_ |= !has_accesses(loop);
                continue;
            }
            Row row{.factors = {{loop.first, 1}}}, left;
            const auto is_within = [&](std::size_t block) {
                return block >= loop.first && block <= loop.last;
            };
            for (const auto& [edge, ends] : edges_) {
                if (ends.second == loop.first && !is_within(ends.first)) {
                    row.factors.emplace_back(edge, -most);
                    left.factors.emplace_back(edge, 1);
                }
                if (is_within(ends.first) && !is_within(ends.second))
                    left.factors.emplace_back(edge, -1);
            }
            if (loop.first == 0) row.limit = most;
            program_.rows.push_back(std::move(row));
            bool may_end = false;
            for (std::size_t block = loop.first; block <= loop.last; ++block)
                may_end |= graph_.blocks[block].may_end;
            if (!may_end) program_.rows.push_back(std::move(left));
        }
    }

    [[nodiscard]] bool has_accesses(const MachineLoop& loop) const {
        const std::uint32_t end = graph_.blocks[loop.last].end;
        for (std::uint32_t i = graph_.blocks[loop.first].first; i < end; ++i)
            if (places_[i].access != AccessClass::kNone) return true;
        return false;
    }

    const MachineKernel& kernel_;
    const MachineGraph& graph_;
    const PlaceOfInstruction& places_;
    const std::map<AccessPlace, RecordedAccesses>& recorded_;
    LinearProgram program_;
    std::map<std::size_t, std::pair<std::size_t, std::size_t>> edges_;  // by variable: blocks
    bool unknown_loop_ = false;
    std::map<std::size_t, double> most_;  // by block: runs that its accesses allow
};

}  // namespace

AccessClass class_of(MachineKind kind) {
    switch (kind) {
        case MachineKind::kSharedLoad:
        case MachineKind::kMatrixLoad:
            return AccessClass::kSharedLoad;
        case MachineKind::kSharedStore:
            return AccessClass::kSharedStore;
        case MachineKind::kSharedAtomic:
            return AccessClass::kSharedAtomic;
        case MachineKind::kGlobalLoad:
            return AccessClass::kGlobalLoad;
        case MachineKind::kGlobalStore:
            return AccessClass::kGlobalStore;
        case MachineKind::kGlobalAtomic:
            return AccessClass::kGlobalAtomic;
        case MachineKind::kCopy:
            return AccessClass::kCopy;
        case MachineKind::kBarrier:
            return AccessClass::kBarrier;
        default:
            return AccessClass::kNone;
    }
}

std::vector<double> executions_of(const MachineKernel& kernel, const MachineGraph& graph,
                                  const PlaceOfInstruction& places,
                                  const std::map<AccessPlace, RecordedAccesses>& recorded) {
    return ExecutionProgram(kernel, graph, places, recorded).solve();
}

}  // namespace tilereel

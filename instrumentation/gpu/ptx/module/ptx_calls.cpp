#include "instrumentation/gpu/ptx/module/ptx_calls.h"

#include <algorithm>
#include <set>

#include "instrumentation/gpu/ptx/module/ptx_declarations.h"

namespace tilereel::gpu {

PtxCalls::PtxCalls(const std::vector<PtxStatement>& statements) {
    find_functions(statements);
    find_calls(statements);
    leave_out_recursive();
    // A function follows when all of its callers are known: there are no cycles any more.
    std::vector<std::string_view> left;
    for (const auto& [name, paths] : paths_) left.push_back(name);
    while (!left.empty())
        std::erase_if(left, [this](std::string_view name) { return count_paths(name); });
}

void PtxCalls::find_functions(const std::vector<PtxStatement>& statements) {
    for (const PtxStatement& statement : statements)
        if (statement.kind == PtxKind::kFunction && statement.tokens[0] == ".func")
            paths_[statement.tokens[ptx_name_index(statement)]] = 0;
    for (const PtxStatement& statement : statements) {
        const bool is_header =
            statement.kind == PtxKind::kFunction || statement.kind == PtxKind::kPrototype;
        const std::size_t named = is_header ? ptx_name_index(statement)
                                  : statement.kind == PtxKind::kInstruction
                                      ? ptx_callee(statement).target
                                      : 0;
        // ".visible .func" or ".extern .func"
        if (is_header && statement.tokens[0] != ".func") paths_.erase(statement.tokens[named]);
        // A function whose address is taken keeps its parameters.
        for (std::size_t i = 0; i < statement.tokens.size(); ++i)
            if (i != named) paths_.erase(statement.tokens[i]);
    }
}

void PtxCalls::find_calls(const std::vector<PtxStatement>& statements) {
    std::string_view from;
    for (std::size_t i = 0; i < statements.size(); ++i) {
        const PtxStatement& statement = statements[i];
        if (statement.kind == PtxKind::kFunction)
            from = statement.tokens[ptx_name_index(statement)];
        if (statement.kind != PtxKind::kInstruction) continue;
        const std::size_t target = ptx_callee(statement).target;
        if (target != 0 && has_caller(statement.tokens[target]))
            calls_.push_back({i, from, statement.tokens[target]});
    }
}

void PtxCalls::leave_out_recursive() {
    std::erase_if(paths_, [this](const auto& entry) { return calls_itself(entry.first); });
    std::erase_if(calls_, [this](const Call& call) { return !has_caller(call.to); });
}

bool PtxCalls::calls_itself(std::string_view function) const {
    std::set<std::string_view> seen;
    std::vector<std::string_view> left = {function};
    while (!left.empty()) {
        const std::string_view from = left.back();
        left.pop_back();
        for (const Call& call : calls_) {
            if (call.from != from) continue;
            if (call.to == function) return true;
            if (seen.insert(call.to).second) left.push_back(call.to);
        }
    }
    return false;
}

bool PtxCalls::count_paths(std::string_view function) {
    const auto paths_to = [this](std::string_view caller) {
        const auto known = paths_.find(caller);
        return known == paths_.end() ? 1 : known->second;
    };
    std::uint32_t paths = 0;
    for (const Call& call : calls_) {
        if (call.to != function) continue;
        const std::uint32_t more = paths_to(call.from);
        if (more == 0) return false;
        offsets_[call.statement] = paths;
        paths += more;
        if (paths > kMostPaths) break;
    }
    if (paths > kMostPaths)
        paths_.erase(function);
    else
        paths_[function] = std::max(paths, 1u);  // 1: it is never called
    return true;
}

}  // namespace tilereel::gpu

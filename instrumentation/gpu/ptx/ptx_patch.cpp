#include "instrumentation/gpu/ptx/ptx_patch.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "instrumentation/gpu/ptx/module/ptx_calls.h"
#include "instrumentation/gpu/ptx/module/ptx_declarations.h"
#include "instrumentation/gpu/ptx/module/ptx_edits.h"
#include "instrumentation/gpu/ptx/module/ptx_places.h"
#include "instrumentation/gpu/ptx/module/ptx_text.h"
#include "instrumentation/gpu/ptx/ptx_hooks.h"
#include "instrumentation/gpu/ptx/ptx_sums.h"

namespace tilereel::gpu {
namespace {

// A module's text after its head (.version, .target, .address_size).
std::string_view body_of(std::string_view text) {
    for (const PtxStatement& statement : ptx_statements(text))
        if (statement.tokens[0] == ".address_size") return text.substr(statement.end);
    return {};
}

class Patcher {
  public:
    Patcher(std::string_view text, std::string_view recorder, const PtxNumbers& first,
            const std::vector<std::string>& libraries)
        : recorder_(recorder),
          first_(first),
          statements_(ptx_statements(text)),
          places_(statements_, libraries),
          edits_(text),
          calls_(statements_) {}

    PatchedPtx run() {
        for (at_ = 0; at_ < statements_.size(); ++at_) pass(statements_[at_]);
        for (PtxKernel& kernel : result_.kernels) find_in_calls(kernel);
        for (std::size_t i = 0; i < names_.size(); ++i)
            result_.functions[i].callers = std::move(callers_[names_[i]]);
        result_.files = places_.files();
        result_.text = edits_.text();
        return std::move(result_);
    }

  private:
    void pass(const PtxStatement& statement) {
        switch (statement.kind) {
            case PtxKind::kDirective:
                registers_.declare(statement);
                if (statement.tokens[0] == ".address_size")
                    edits_.insert(statement.end, std::string(body_of(recorder_)));
                break;
            case PtxKind::kVariable:
                add_variable(statement);
                break;
            case PtxKind::kFunction:
                begin_function(statement);
                add_caller(statement);
                if (is_ptx_kernel(statement)) result_.kernels.push_back(ptx_kernel(statement));
                break;
            case PtxKind::kPrototype:
                add_caller(statement);
                break;
            case PtxKind::kLocation:
                places_.pass(statement);
                break;
            case PtxKind::kOpen:
                ++depth_;
                break;
            case PtxKind::kClose:
                if (--depth_ == 0) end_function();
                break;
            case PtxKind::kLabel:
                begin_code(statement.begin);
                labels_[statement.tokens[0]] = next_site();
                sums_.begin_basic_block();
                break;
            case PtxKind::kInstruction:
                begin_code(statement.begin);
                if (depth_ > 0) pass_instruction(statement);
                break;
            case PtxKind::kFile:
                break;
        }
    }

    void begin_function(const PtxStatement& header) {
        name_ = header.tokens[ptx_name_index(header)];
        has_caller_ = calls_.has_caller(name_);
        registers_.clear();
        used_.clear();
        labels_.clear();
        sums_.begin_function();
        code_ = 0;
        first_site_ = next_site();
        places_.begin_function();
        depth_ = 0;
    }
    void begin_code(std::size_t at) {
        if (code_ == 0 && depth_ > 0) code_ = at;
    }
    // Inserts the code at the beginning of a function, which depends on all of the function.
    void end_function() {
        std::ranges::sort(loops_, {}, [](const PtxLoop& loop) {
            return std::pair(loop.first, -std::int64_t{loop.end});
        });
        result_.loops.insert(result_.loops.end(), loops_.begin(), loops_.end());
        loops_.clear();
        names_.push_back(name_);
        result_.functions.push_back({first_site_, next_site(), {}});
        if (code_ == 0) return;
        std::string text;
        if (has_caller_)
            text +=
                ".reg .b32 %tilereel_caller;\nld.param.b32 %tilereel_caller, "
                "[tilereel_caller];\n";
        for (const std::uint32_t variable : used_) text += announcement(variable);
        edits_.insert_first(code_, std::move(text));
        code_ = 0;
    }
    // The code that reports a variable's address to the recorder.
    [[nodiscard]] std::string announcement(std::uint32_t number) const {
        const PtxVariable& variable = result_.variables[number];
        std::string text = "{\n.reg .b64 %tilereel_a;\n";
        if (variable.is_shared)
            text += ".reg .b32 %tilereel_s;\nmov.u32 %tilereel_s, " + variable.symbol +
                    ";\ncvt.u64.u32 %tilereel_a, %tilereel_s;\n";
        else
            text += "mov.u64 %tilereel_a, " + variable.symbol +
                    ";\ncvta.const.u64 %tilereel_a, %tilereel_a;\n";
        return text + ".param .b32 tilereel_p0;\nst.param.b32 [tilereel_p0], " +
               std::to_string(first_.variable + number) +
               ";\n.param .b64 tilereel_p1;\nst.param.b64 [tilereel_p1], %tilereel_a;\n.param .b32 "
               "tilereel_p2;\nst.param.b32 [tilereel_p2], " +
               (variable.is_shared ? "1" : "0") +
               ";\ncall tilereel_gpu_place, (tilereel_p0, tilereel_p1, tilereel_p2);\n}\n";
    }

    void add_variable(const PtxStatement& declaration) {
        std::optional<PtxVariable> variable = ptx_variable(declaration);
        if (!variable) return;
        known_[variable->symbol] = static_cast<std::uint32_t>(result_.variables.size());
        result_.variables.push_back(*std::move(variable));
    }

    void add_caller(const PtxStatement& header) {
        const std::size_t name = ptx_name_index(header);
        if (!calls_.has_caller(header.tokens[name])) return;
        const std::string parameter = ".param .b32 tilereel_caller";
        const auto& tokens = header.tokens;
        if (name + 1 >= tokens.size() || tokens[name + 1] != "(") {
            edits_.insert_after(tokens[name], "(" + parameter + ")");
            return;
        }
        const std::size_t close = ptx_closing(tokens, name + 1);
        edits_.insert_before(tokens[close], (close == name + 2 ? "" : ", ") + parameter);
    }

    void pass_instruction(const PtxStatement& statement) {
        for (const std::string_view token : statement.tokens)
            if (const auto known = known_.find(token); known != known_.end())
                used_.insert(known->second);
        add_loop(statement);
        const PtxCallee call = ptx_callee(statement);
        if (call.target != 0) {
            pass_call(statement, call);
            return;
        }
        const PtxInstruction instruction = ptx_instruction(statement);
        PtxWork work = ptx_work(instruction, registers_, next_site(), caller());
        const PtxPlace place = places_.place();
        if (work.left_out) {
            const bool stores_in_bulk = instruction.has("bulk_group");
            leave_out({stores_in_bulk ? "cp.async.bulk" : std::string(instruction.parts[0]), place},
                      functions_[name_].left_out);
            return;
        }
        if (work.sites.empty()) pass_sum(place);
        for (PtxSite& site : work.sites) {
            site.place = place;
            result_.sites.push_back(site);
        }
        if (!work.hook.before.empty()) edits_.insert(statement.begin, work.hook.before);
        if (!work.hook.instead.empty())
            edits_.replace(statement.begin, statement.end - statement.begin, work.hook.instead);
        if (!work.hook.after.empty()) edits_.insert(statement.end, "\n" + work.hook.after);
    }
    // Sums in functions of CUDA's headers are not the user's, so they are not recorded.
    void pass_sum(const PtxPlace& place) {
        if (place.in_library) return;
        const auto sum = sums_.pass(statements_, at_, registers_, next_site(), caller());
        if (!sum) return;
        PtxSite site;
        site.operation = Operation::kMultiplyAdd;
        const bool is_double = statements_[at_].tokens[0].ends_with(".f64");
        site.width_bytes = is_double ? 8 : 4;
        site.value_words = is_double ? 2 : 1;
        site.in_register = sum->number != 0;
        site.sum = sum->number;
        site.place = place;
        result_.sites.push_back(site);
        edits_.insert(statements_[sum->after].end, "\n" + sum->hook);
    }
    // A backward branch, to a label that has been seen, closes a loop.
    void add_loop(const PtxStatement& statement) {
        const auto& tokens = statement.tokens;
        const auto branch = std::ranges::find_if(
            tokens, [](std::string_view token) { return token == "bra" || token == "bra.uni"; });
        if (branch == tokens.end()) return;
        const auto label = labels_.find(tokens.back());
        if (label == labels_.end() || label->second == next_site()) return;
        const auto known = std::ranges::find(loops_, label->second, &PtxLoop::first);
        if (known == loops_.end())
            loops_.push_back({label->second, next_site()});
        else
            known->end = next_site();
    }
    void pass_call(const PtxStatement& statement, const PtxCallee& call) {
        const auto& tokens = statement.tokens;
        const std::string_view target = tokens[call.target];
        if (target == "vprintf") guard_print(statement);
        functions_[name_].calls.insert(target);
        if (!calls_.has_caller(target)) return;
        const std::uint32_t offset = calls_.offset(at_);
        callers_[target].push_back({offset, next_site()});
        PtxSite site;
        site.is_call = true;
        site.place = places_.place();
        result_.sites.push_back(site);
        const std::string name = "tilereel_c" + std::to_string(call_count_++);
        std::string value = std::to_string(offset + 1);
        if (has_caller_) {
            value = "%" + name;
            edits_.insert(statement.begin, ".reg .b32 " + value + ";\nadd.u32 " + value +
                                               ", %tilereel_caller, " + std::to_string(offset) +
                                               ";\n");
        }
        edits_.insert(statement.begin,
                      ".param .b32 " + name + ";\nst.param.b32 [" + name + "], " + value + ";\n");
        if (call.arguments == 0) {
            edits_.insert_after(target, ", (" + name + ")");
            return;
        }
        const std::size_t close = ptx_closing(tokens, call.arguments);
        edits_.insert_before(tokens[close], (close == call.arguments + 1 ? "" : ", ") + name);
    }

    // Makes a call of vprintf conditional: the pass that only counts prints nothing.
    void guard_print(const PtxStatement& statement) {
        const std::string_view opcode = statement.tokens[0];
        if (opcode != "call" && opcode != "call.uni") return;
        const std::string number = std::to_string(call_count_++),
                          print = "%tilereel_print" + number;
        edits_.replace(statement.begin, opcode.size(),
                       ".reg .pred " + print +
                           ";\n{\n.reg .b32 %tilereel_t;\n.param .b32 tilereel_r;\n" +
                           "call (tilereel_r), tilereel_gpu_prints;\nld.param.b32 %tilereel_t, "
                           "[tilereel_r];\nsetp.ne.u32 " +
                           print + ", %tilereel_t, 0;\n}\n@" + print + " call");
    }

    [[nodiscard]] std::string caller() const { return has_caller_ ? "%tilereel_caller" : "0"; }
    [[nodiscard]] std::uint32_t next_site() const {
        return first_.site + static_cast<std::uint32_t>(result_.sites.size());
    }
    // Adds `each` unless `all` has the same instruction on the same line.
    static void leave_out(const PtxLeftOut& each, std::vector<PtxLeftOut>& all) {
        const bool known = std::ranges::any_of(all, [&](const PtxLeftOut& other) {
            return other.instruction == each.instruction && other.place.file == each.place.file &&
                   other.place.line == each.place.line;
        });
        if (!known) all.push_back(each);
    }
    // Collects what the kernel and the functions that it calls leave out, and whether they use the
    // heap.
    void find_in_calls(PtxKernel& kernel) {
        std::set<std::string_view> seen;
        std::vector<std::string_view> left = {kernel.symbol};
        while (!left.empty()) {
            const std::string_view name = left.back();
            left.pop_back();
            if (!seen.insert(name).second) continue;
            if (name == "malloc" || name == "free") kernel.uses_heap = true;
            const auto function = functions_.find(name);
            if (function == functions_.end()) continue;
            for (const PtxLeftOut& each : function->second.left_out)
                leave_out(each, kernel.left_out);
            left.insert(left.end(), function->second.calls.begin(), function->second.calls.end());
        }
    }

    std::string_view recorder_;
    PtxNumbers first_;
    std::vector<PtxStatement> statements_;
    PtxPlaces places_;
    std::size_t at_ = 0;
    PatchedPtx result_;
    PtxEdits edits_;
    PtxCalls calls_;
    std::map<std::string_view, std::vector<PtxCallSite>> callers_;  // by function
    std::vector<std::string_view> names_;                           // of result_.functions
    std::map<std::string, std::uint32_t, std::less<>> known_;       // variables by symbol

    struct Function {
        std::set<std::string_view> calls;
        std::vector<PtxLeftOut> left_out;
    };
    std::map<std::string_view, Function> functions_;

    // Of the current function.
    std::string_view name_;
    bool has_caller_ = false;
    std::uint32_t first_site_ = 0;
    int depth_ = 0;
    std::size_t code_ = 0;  // position of its first instruction; 0: not seen yet
    PtxRegisters registers_;
    PtxSums sums_;
    std::set<std::uint32_t> used_;                      // variables
    std::map<std::string_view, std::uint32_t> labels_;  // the next site after them
    std::vector<PtxLoop> loops_;
    std::size_t call_count_ = 0;
};

}  // namespace

PatchedPtx patch_ptx(std::string_view text, std::string_view recorder, const PtxNumbers& first,
                     const std::vector<std::string>& libraries) {
    return Patcher(text, recorder, first, libraries).run();
}

}  // namespace tilereel::gpu

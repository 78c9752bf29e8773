#include "instrumentation/plain/assembly.h"

#include <array>
#include <cctype>
#include <set>
#include <vector>

namespace tilereel::plain {
namespace {

bool is_symbol(char c) {
    const auto code = static_cast<unsigned char>(c);
    return std::isalnum(code) != 0 || c == '_' || c == '.' || c == '$' || code >= 0x80;
}

// The first word of an instruction; empty if the line is not an instruction.
std::string_view mnemonic_of(std::string_view line) {
    if (line.empty() || line[0] != '\t' || line.size() < 2 || line[1] == '.') return {};
    return line.substr(1, line.find_first_of("\t ", 1) - 1);
}

bool is_call(std::string_view mnemonic) {
    return mnemonic == "call" || mnemonic == "bl" || mnemonic == "blr";
}

// x86-64 and AArch64: jumps to a label, conditional or not.
bool is_jump(std::string_view mnemonic) {
    return mnemonic.starts_with('j') || mnemonic == "b" || mnemonic.starts_with("b.") ||
           mnemonic == "cbz" || mnemonic == "cbnz" || mnemonic == "tbz" || mnemonic == "tbnz";
}

// The compiler-generated label at the end of an instruction, such as ".L12"; empty if none.
std::string_view label_at_end(std::string_view line) {
    const std::size_t begin = line.find_last_of("\t ,") + 1;
    const std::string_view word = line.substr(begin);
    return word.starts_with(".L") ? word : std::string_view();
}

// The symbol that a call names, such as "__tsan_read4". For a call through a pointer: empty on
// x86-64, the name of a register on AArch64.
std::string_view callee_of(std::string_view line) {
    std::size_t begin = line.find_first_of("\t ", 1);
    begin = line.find_first_not_of("\t ", begin);
    if (begin == std::string_view::npos || !is_symbol(line[begin])) return {};
    std::size_t end = begin;
    while (end < line.size() && is_symbol(line[end])) ++end;
    return line.substr(begin, end - begin);
}

// The runtime's function that is called in place of this one; empty if there is none. The runtime
// replaces functions of the C and C++ libraries, and functions that must know their caller.
std::string_view replacement_of(std::string_view callee) {
    constexpr std::array<std::array<std::string_view, 2>, 13> kReplaced = {
        {{"printf", "tilereel_printf"},
         {"clock", "tilereel_any_clock"},
         {"malloc", "tilereel_any_malloc"},
         {"free", "tilereel_any_free"},
         {"_Znwm", "tilereel_any_new"},
         {"_Znam", "tilereel_any_new"},
         {"_ZdlPv", "tilereel_any_delete"},
         {"_ZdaPv", "tilereel_any_delete"},
         {"_ZdlPvm", "tilereel_any_delete"},
         {"_ZdaPvm", "tilereel_any_delete"},
         {"_Z13__syncthreadsv", "tilereel_syncthreads"},
         {"puts", "tilereel_puts"},
         {"putchar", "tilereel_putchar"}}};
    for (const auto& [from, to] : kReplaced)
        if (from == callee) return to;
    return {};
}

// The relocations that name thread-local variables. Those of variables in an unnamed namespace are
// the local-exec ones (@tpoff, :tprel_...:).
constexpr std::array<std::string_view, 3> kRelocationSuffixes = {"@gottpoff", "@tlsgd",
                                                                 "@tpoff"};  // x86-64
constexpr std::array<std::string_view, 5> kRelocationPrefixes = {
    ":gottprel:", ":gottprel_lo12:", ":tprel_hi12:", ":tprel_lo12_nc:", ":tprel_lo12:"};  // AArch64
constexpr std::string_view kDynamicShared = "tilereel_dynamic_shared";

class Marker {
  public:
    explicit Marker(std::string_view text) {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            lines_.push_back(text.substr(at, end - at));
            at = end + 1;
        }
        for (const std::string_view line : lines_)
            if (!line.empty() && is_symbol(line[0]) && line.ends_with(':'))
                defined_.insert(line.substr(0, line.size() - 1));
        out_.reserve(text.size() + text.size() / 4);
    }

    std::string run() {
        for (std::size_t i = 0; i < lines_.size(); ++i) take(i);
        out_ += "\t.section\t";
        out_ += kMarksSection;
        out_ += ",\"\",@progbits\n";
        return out_ + marks_;
    }

  private:
    void take(std::size_t i) {
        const std::string_view line = lines_[i];
        const std::string_view mnemonic = mnemonic_of(line);
        if (line == "\t.cfi_startproc") labels_.clear();
        if (line.starts_with(".L") && line.ends_with(':'))
            labels_.insert(line.substr(0, line.size() - 1));
        if (mnemonic.empty()) {
            add(line);
        } else if (is_call(mnemonic)) {
            add_call(i);
        } else {
            add(with_dynamic_shared(line));
            const std::string_view target = label_at_end(line);
            if (is_jump(mnemonic) && labels_.contains(target))
                mark(Mark::kLoop, target, new_label());
        }
    }
    void add(std::string_view line) {
        out_ += line;
        out_ += '\n';
    }
    void add_call(std::size_t i) {
        const std::string_view line = lines_[i], callee = callee_of(line);
        if (const std::string_view other = replacement_of(callee); !other.empty()) {
            std::string changed(line);
            changed.replace(changed.find(callee), callee.size(), other);
            add(changed);
        } else {
            add(line);
        }
        mark(begins_copy(i, callee) ? Mark::kStoreOfCopy : Mark::kCall, new_label(), "0");
    }
    // Whether this call begins the copy of a structure: it reports the store, and the next call of
    // the same statement reports the load.
    [[nodiscard]] bool begins_copy(std::size_t i, std::string_view callee) const {
        constexpr std::array<std::array<std::string_view, 2>, 2> kPairs = {
            {{"__tsan_write", "__tsan_read"}, {"__tsan_unaligned_write", "__tsan_unaligned_read"}}};
        for (const auto& [store, load] : kPairs) {
            if (!callee.starts_with(store)) continue;
            const std::string other = std::string(load) + std::string(callee.substr(store.size()));
            for (std::size_t next = i + 1; next < lines_.size(); ++next) {
                const std::string_view line = lines_[next], mnemonic = mnemonic_of(line);
                if (is_call(mnemonic)) return callee_of(line) == other;
                if (is_jump(mnemonic) || line.starts_with("\t.loc") || line.ends_with(':'))
                    return false;
            }
        }
        return false;
    }
    std::string new_label() {
        std::string label = ".Ltilereel" + std::to_string(number_++);
        out_ += label + ":\n";
        return label;
    }
    void mark(Mark kind, std::string_view first, std::string_view second) {
        marks_ += "\t.quad\t" + std::to_string(static_cast<std::uint64_t>(kind)) + ", ";
        marks_ += first;
        marks_ += ", ";
        marks_ += second;
        marks_ += '\n';
    }
    [[nodiscard]] bool is_dynamic_shared(std::string_view symbol) const {
        for (const std::string_view other : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
            if (symbol == other) return false;
        return !symbol.empty() && !defined_.contains(symbol) && !symbol.starts_with("_ZSt");
    }
    // The instruction with each name of dynamic shared memory replaced.
    [[nodiscard]] std::string with_dynamic_shared(std::string_view line) const {
        std::string text(line);
        for (const std::string_view sign : kRelocationSuffixes)
            if (const std::size_t at = text.find(sign); at != std::string::npos) {
                std::size_t begin = at;
                while (begin > 0 && is_symbol(text[begin - 1])) --begin;
                if (text[begin] == '$') ++begin;  // of a constant operand
                replace(text, begin, at);
            }
        for (const std::string_view sign : kRelocationPrefixes)
            if (const std::size_t at = text.find(sign); at != std::string::npos) {
                const std::size_t begin = at + sign.size();
                std::size_t end = begin;
                while (end < text.size() && is_symbol(text[end])) ++end;
                replace(text, begin, end);
            }
        return text;
    }
    void replace(std::string& text, std::size_t begin, std::size_t end) const {
        if (is_dynamic_shared(std::string_view(text).substr(begin, end - begin)))
            text.replace(begin, end - begin, kDynamicShared);
    }

    std::vector<std::string_view> lines_;
    std::set<std::string_view> defined_;  // symbols of the file
    std::set<std::string_view> labels_;   // of the function so far
    std::string out_, marks_;
    unsigned number_ = 0;
};

}  // namespace

std::string mark_assembly(std::string_view text) { return Marker(text).run(); }

}  // namespace tilereel::plain

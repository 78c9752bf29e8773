#include "instrumentation/cuda/text/device_words.h"

#include <algorithm>
#include <set>
#include <vector>

#include "instrumentation/cuda/text/asm_operands.h"
#include "instrumentation/cuda/text/device_function_text.h"
#include "instrumentation/cuda/text/host_branches.h"
#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

// Reads the tokens of a text one after another.
class Tokens {
  public:
    Tokens(std::string_view text, std::size_t at) : text_(text), at_(at) {}
    // Moves behind the word or the punctuation if it comes next.
    bool take(std::string_view token) {
        const std::size_t begin = skip_space(text_, at_);
        const bool is_next = is_word(token[0]) ? word_at(text_, begin) == token
                                               : text_.substr(begin, token.size()) == token;
        if (is_next) at_ = begin + token.size();
        return is_next;
    }
    std::string_view take_word() {
        const std::size_t begin = skip_space(text_, at_);
        const std::string_view word = word_at(text_, begin);
        if (!word.empty()) at_ = begin + word.size();
        return word;
    }
    [[nodiscard]] std::size_t at() const { return at_; }

  private:
    std::string_view text_;
    std::size_t at_;
};

// const void* or void const*
bool take_pointer_to_void(Tokens& tokens) {
    tokens.take("const");
    if (!tokens.take("void")) return false;
    tokens.take("const");
    return tokens.take("*");
}

// Casts of kernels to void*: "(const void*)" or "reinterpret_cast<void*>" before a kernel's name.
void find_kernel_casts(std::string_view mask, const std::vector<DeviceFunction>& functions,
                       std::vector<TextChange>& changes) {
    std::set<std::string_view> kernels;
    for (const DeviceFunction& function : functions)
        if (function.kernel) kernels.insert(function.name);
    if (kernels.empty()) return;
    for (std::size_t at = 0; at < mask.size();) {
        const std::string_view word = word_at(mask, at);
        const bool is_word_cast = word == "reinterpret_cast" || word == "static_cast";
        const std::size_t begin = at;
        at += std::max(word.size(), std::size_t{1});
        if (!is_word_cast && mask[begin] != '(') continue;
        Tokens tokens(mask, at);
        if (is_word_cast && !tokens.take("<")) continue;
        if (!take_pointer_to_void(tokens) || !tokens.take(is_word_cast ? ">" : ")")) continue;
        const std::size_t end = at = tokens.at();
        tokens.take("(");
        tokens.take("&");
        tokens.take("::");
        std::string_view name = tokens.take_word();
        while (!name.empty() && tokens.take("::")) name = tokens.take_word();
        if (kernels.contains(name))
            changes.push_back({begin, end - begin, "::tilereel::runtime::kernel_pointer * "});
    }
}

// The conditions (#if to #endif) of a text, and where it has device code.
class Conditions {
  public:
    Conditions(std::string_view mask, const SpecifierMacros& macros) {
        std::vector<std::size_t> open;  // the last #if or #elif of each condition
        for (std::size_t at = 0; at < mask.size();) {
            const std::size_t end = std::min(mask.find('\n', at), mask.size());
            const std::size_t hash = skip_blanks(mask, at);
            if (hash < end && mask[hash] == '#') {
                const std::string_view word = word_at(mask, skip_blanks(mask, hash + 1));
                if (word.starts_with("if")) {
                    branches_.push_back({at, mask.size(), branches_.size()});
                    open.push_back(branches_.size() - 1);
                } else if (word == "elif" && !open.empty()) {
                    branches_.push_back({at, mask.size(), open.back()});
                    open.back() = branches_.size() - 1;
                } else if (word == "endif" && !open.empty()) {
                    close(open.back(), end);
                    open.pop_back();
                }
            }
            at = end + 1;
        }
        for_each_word(mask, [&](std::string_view word, std::size_t at) {
            const Specifiers specifiers = macros.of(word);
            if (specifiers.device || specifiers.kernel) device_code_.push_back(at);
        });
    }
    // Whether the line at `begin` has an #if or #elif with device code between it and its #endif.
    [[nodiscard]] bool holds_device_code(std::size_t begin) const {
        const auto branch = std::ranges::lower_bound(branches_, begin, {}, &Branch::begin);
        if (branch == branches_.end() || branch->begin != begin) return false;
        const auto first = std::ranges::lower_bound(device_code_, begin);
        return first != device_code_.end() && *first < branch->end;
    }

  private:
    struct Branch {
        std::size_t begin = 0;     // of the line
        std::size_t end = 0;       // of the line with #endif
        std::size_t previous = 0;  // branch of the same condition; itself: it is the #if
    };
    void close(std::size_t branch, std::size_t end) {
        for (;; branch = branches_[branch].previous) {
            branches_[branch].end = end;
            if (branches_[branch].previous == branch) return;
        }
    }
    std::vector<Branch> branches_;
    std::vector<std::size_t> device_code_;
};

void find_architecture(std::string_view mask, const std::vector<DeviceFunction>& functions,
                       const SpecifierMacros& macros, std::vector<TextChange>& changes) {
    constexpr std::string_view kWord = "__CUDA_ARCH__";
    if (mask.find(kWord) == std::string_view::npos) return;
    const Conditions conditions(mask, macros);
    std::vector<const DeviceFunction*> by_body;
    for (const DeviceFunction& function : functions) by_body.push_back(&function);
    std::ranges::stable_sort(by_body, {}, &DeviceFunction::body);
    std::size_t next = 0, inside_to = 0, device_to = 0;  // ends of the bodies that were entered
    std::size_t line = 0, looked_to = 0;
    for (std::size_t at = 0; (at = mask.find(kWord, at)) != std::string_view::npos;
         at += kWord.size()) {
        for (; next < by_body.size() && by_body[next]->body <= at; ++next) {
            inside_to = std::max(inside_to, by_body[next]->end);
            if (!by_body[next]->host) device_to = std::max(device_to, by_body[next]->end);
        }
        for (; looked_to < at; ++looked_to)
            if (mask[looked_to] == '\n') line = looked_to + 1;
        // Outside of functions: in conditions that contain device code.
        if (at < device_to || (at >= inside_to && conditions.holds_device_code(line)))
            changes.push_back({at, kWord.size(), "__TILEREEL_ARCH__"});
    }
}

// g++ accepts alignas only at the beginning of a declaration.
void find_alignments(std::string_view mask, std::vector<TextChange>& changes) {
    for_each_word(mask, [&](std::string_view word, std::size_t at) {
        if (word != "__shared__") return;
        Tokens tokens(mask, at + word.size());
        if (!tokens.take("alignas")) return;
        const std::size_t end = tokens.at();
        if (tokens.take("(")) changes.push_back({end - 7, 7, "__align__"});
    });
}

bool is_word_at(const std::string& mask, std::size_t at, std::string_view word) {
    return mask.compare(at, word.size(), word) == 0 && (at == 0 || !is_word(mask[at - 1])) &&
           (at + word.size() >= mask.size() || !is_word(mask[at + word.size()]));
}

// Where `word` stands between `begin` and `end`, outside of parentheses; npos if it does not.
std::size_t find_word(const std::string& mask, std::string_view word, std::size_t begin,
                      std::size_t end) {
    int depth = 0;
    for (std::size_t at = begin; at < end; ++at) {
        if (mask[at] == '(') ++depth;
        if (mask[at] == ')') --depth;
        if (depth == 0 && is_word_at(mask, at, word)) return at;
    }
    return std::string::npos;
}

// A declaration's words may have any order, but the macro __shared__ contains "static", and
// "extern" must stand before it.
void find_storage_classes(const std::string& mask, std::vector<TextChange>& changes) {
    constexpr std::string_view kShared = "__shared__", kStatic = "static", kExtern = "extern";
    constexpr std::size_t kMostBytes = 500;  // of a declaration on each side of the word
    for (std::size_t at = 0; (at = mask.find(kShared, at)) != std::string::npos;
         at += kShared.size()) {
        if (!is_word_at(mask, at, kShared)) continue;
        std::size_t begin = at, end = at;
        const std::size_t least = at > kMostBytes ? at - kMostBytes : 0;
        while (begin > least &&
               std::string_view(";{}").find(mask[begin - 1]) == std::string_view::npos)
            --begin;
        const std::size_t most = std::min(mask.size(), at + kMostBytes);
        while (end < most && std::string_view(";{}=[").find(mask[end]) == std::string_view::npos)
            ++end;
        for (const auto& [from, to] : {std::pair(begin, at), std::pair(at, end)})
            if (const std::size_t word = find_word(mask, kStatic, from, to);
                word != std::string::npos)
                changes.push_back({word, kStatic.size(), ""});
        if (const std::size_t word = find_word(mask, kExtern, at, end); word != std::string::npos) {
            changes.push_back({at, kShared.size(), "extern __dynamic_"});
            changes.push_back({word, kExtern.size(), ""});
        }
    }
}

std::string changed(std::string_view text, std::vector<TextChange> changes) {
    std::ranges::sort(changes, {}, &TextChange::at);
    std::string out;
    std::size_t kept = 0;
    for (const TextChange& change : changes) {
        if (change.at < kept) continue;
        out.append(text, kept, change.at - kept);
        out += change.text;
        // Keeps the numbers of the lines.
        for (std::size_t i = change.at; i < change.at + change.length; ++i)
            if (text[i] == '\n') out += '\n';
        kept = change.at + change.length;
    }
    return out.append(text, kept);
}

}  // namespace

std::string rewrite_words(std::string_view text, const std::string& mask,
                          const SpecifierMacros& macros) {
    std::vector<TextChange> changes;
    if (mask.find("void") != std::string::npos || mask.find("__CUDA_ARCH__") != std::string::npos) {
        const std::vector<DeviceFunction> functions = find_device_functions(mask, macros);
        find_kernel_casts(mask, functions, changes);
        find_architecture(mask, functions, macros, changes);
        find_host_branches(mask, functions, changes);
    }
    find_alignments(mask, changes);
    find_storage_classes(mask, changes);
    find_missing_commas(text, mask, changes);
    return changed(text, std::move(changes));
}

}  // namespace tilereel::program

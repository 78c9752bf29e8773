#include "instrumentation/plain/device_words.h"

#include <algorithm>
#include <regex>
#include <set>
#include <vector>

#include "instrumentation/plain/device_functions.h"
#include "instrumentation/plain/text_words.h"

namespace tilereel::plain {
namespace {

// A replacement of a part of the text.
struct Change {
    std::size_t at = 0, length = 0;
    std::string_view text;
};

bool is_any_word_at(std::string_view text, std::size_t at, const std::set<std::string>& words) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    return words.contains(std::string(text.substr(at, end - at)));
}

// Casts of kernels to void*: "(const void*)" or "reinterpret_cast<void*>" before a kernel's name.
void find_kernel_casts(const std::string& mask, const std::vector<DeviceFunction>& functions,
                       std::vector<Change>& changes) {
    std::set<std::string> kernels;
    for (const DeviceFunction& function : functions)
        if (function.kernel) kernels.insert(function.name);
    static const std::regex cast(
        R"((?:\(\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*\)|)"
        R"(\b(?:reinterpret|static)_cast\s*<\s*(?:const\s+)?void\s*\*\s*>)\s*\(?\s*&?\s*)"
        R"((?:\w+\s*::\s*)*(?=(\w+)))");
    for (std::sregex_iterator it(mask.begin(), mask.end(), cast), end; it != end; ++it) {
        const auto name = static_cast<std::size_t>(it->position(1));
        if (!is_any_word_at(mask, name, kernels)) continue;
        const auto at = static_cast<std::size_t>(it->position(0));
        const std::size_t close = mask.find(mask[at] == '(' ? ')' : '>', at);
        changes.push_back({at, close + 1 - at, "::tilereel::plain::kernel_pointer * "});
    }
}

// The end of the #endif line that closes the #if or #elif on the line at `begin`; `begin` if that
// line is neither.
std::size_t end_of_condition(const std::string& mask, std::size_t begin) {
    static const std::regex directive(R"(^[ \t]*#[ \t]*(\w+))");
    int depth = 0;
    for (std::size_t at = begin; at < mask.size();) {
        const std::size_t end = std::min(mask.find('\n', at), mask.size());
        std::smatch found;
        const std::string line = mask.substr(at, end - at);
        const std::string word = std::regex_search(line, found, directive) ? found[1].str() : "";
        if (word.starts_with("if")) ++depth;
        if (at == begin && word == "elif") ++depth;
        if (at == begin && depth == 0) return begin;
        if (word == "endif" && --depth == 0) return end;
        at = end + 1;
    }
    return mask.size();
}

void find_architecture(const std::string& mask, const std::vector<DeviceFunction>& functions,
                       std::vector<Change>& changes) {
    constexpr std::string_view kWord = "__CUDA_ARCH__";
    for (const DeviceFunction& function : functions) {
        if (function.host) continue;
        for (std::size_t at = function.body;
             (at = mask.find(kWord, at)) < function.end && at != std::string::npos;
             at += kWord.size())
            changes.push_back({at, kWord.size(), "__TILEREEL_ARCH__"});
    }
    // Outside of functions: in conditions (#if to #endif) that contain device code.
    for (std::size_t at = 0; (at = mask.find(kWord, at)) != std::string::npos; at += kWord.size()) {
        const bool inside = std::ranges::any_of(functions, [&](const DeviceFunction& function) {
            return at >= function.body && at < function.end;
        });
        if (inside) continue;
        const std::size_t begin = mask.rfind('\n', at) + 1, end = end_of_condition(mask, begin);
        const std::string_view held = std::string_view(mask).substr(begin, end - begin);
        if (held.find("__device__") == std::string_view::npos &&
            held.find("__global__") == std::string_view::npos)
            continue;
        changes.push_back({at, kWord.size(), "__TILEREEL_ARCH__"});
    }
}

// g++ accepts alignas only at the beginning of a declaration.
void find_alignments(const std::string& mask, std::vector<Change>& changes) {
    static const std::regex aligned(R"(__shared__\s+(alignas)\s*\()");
    for (std::sregex_iterator it(mask.begin(), mask.end(), aligned), end; it != end; ++it)
        changes.push_back({static_cast<std::size_t>(it->position(1)), 7, "__align__"});
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
void find_storage_classes(const std::string& mask, std::vector<Change>& changes) {
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

std::string changed(std::string_view text, std::vector<Change> changes) {
    std::ranges::sort(changes, {}, &Change::at);
    std::string out;
    std::size_t kept = 0;
    for (const Change& change : changes) {
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

std::string rewrite_words(std::string_view text, const std::string& mask) {
    std::vector<Change> changes;
    if (mask.find("void") != std::string::npos || mask.find("__CUDA_ARCH__") != std::string::npos) {
        const std::vector<DeviceFunction> functions = find_device_functions(mask);
        find_kernel_casts(mask, functions, changes);
        find_architecture(mask, functions, changes);
    }
    find_alignments(mask, changes);
    find_storage_classes(mask, changes);
    return changed(text, std::move(changes));
}

}  // namespace tilereel::plain

#include "app/exercise/submission/submission_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "instrumentation/cuda/text/launch_text.h"
#include "instrumentation/cuda/text/text_words.h"

namespace tilereel {
namespace {

using program::for_each_word;
using program::LineCounter;
using program::skip_blanks;
using program::word_at;

constexpr std::array<std::string_view, 12> kDirectives = {"include", "define", "undef",   "if",
                                                          "ifdef",   "ifndef", "elif",    "else",
                                                          "endif",   "pragma", "warning", "error"};

constexpr std::array<std::string_view, 52> kHeaders = {"algorithm",
                                                       "array",
                                                       "cassert",
                                                       "cfloat",
                                                       "chrono",
                                                       "climits",
                                                       "cmath",
                                                       "cstddef",
                                                       "cstdint",
                                                       "cstdio",
                                                       "cstdlib",
                                                       "cstring",
                                                       "functional",
                                                       "iomanip",
                                                       "iostream",
                                                       "limits",
                                                       "memory",
                                                       "numeric",
                                                       "random",
                                                       "sstream",
                                                       "string",
                                                       "type_traits",
                                                       "utility",
                                                       "vector",
                                                       "assert.h",
                                                       "float.h",
                                                       "limits.h",
                                                       "math.h",
                                                       "stddef.h",
                                                       "stdint.h",
                                                       "stdio.h",
                                                       "stdlib.h",
                                                       "string.h",
                                                       "time.h",
                                                       "ctime",
                                                       "tuple",
                                                       "cuda_runtime.h",
                                                       "cuda.h",
                                                       "cuda_fp16.h",
                                                       "cuda_bf16.h",
                                                       "cuda_runtime_api.h",
                                                       "device_launch_parameters.h",
                                                       "device_functions.h",
                                                       "vector_types.h",
                                                       "mma.h",
                                                       "math_constants.h",
                                                       "cuda_pipeline.h",
                                                       "cuda_pipeline_primitives.h",
                                                       "cooperative_groups.h",
                                                       "cooperative_groups/memcpy_async.h",
                                                       "cooperative_groups/reduce.h",
                                                       "sm_30_intrinsics.h"};

// Words that no submission needs, and what they could do.
struct RefusedWord {
    std::string_view word;
    bool begins;  // also longer words that begin so
    std::string_view why;
};
constexpr std::array<RefusedWord, 9> kRefused = {{
    {"asm", false, "is not accepted: write CUDA C++ without inline PTX"},
    {"__asm", true, "is not accepted: write CUDA C++ without inline PTX"},
    {"__attribute", true, "is not accepted"},
    {"__declspec", true, "is not accepted"},
    {"__builtin", true, "is not accepted: use the functions of CUDA"},
    {"__sync_", true, "is not accepted: use the atomic functions of CUDA"},
    {"__atomic_", true, "is not accepted: use the atomic functions of CUDA"},
    {"_Pragma", false, "is not accepted"},
    {"gnu", false, "is not accepted"},
}};

bool holds_our_name(std::string_view word) {
    std::string small(word);
    std::ranges::transform(small, small.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return small.find("tilereel") != std::string::npos;
}

// Names that belong to the language, to CUDA and to the compiler.
bool is_reserved(std::string_view name) {
    constexpr std::array<std::string_view, 44> kWords = {
        "main",   "threadIdx", "blockIdx", "blockDim", "gridDim",   "warpSize", "dim3",
        "if",     "else",      "for",      "while",    "do",        "switch",   "return",
        "break",  "continue",  "int",      "float",    "double",    "char",     "void",
        "bool",   "long",      "short",    "unsigned", "signed",    "const",    "static",
        "struct", "class",     "template", "typename", "namespace", "using",    "sizeof",
        "true",   "false",     "auto",     "operator", "new",       "delete",   "constexpr",
        "std",    "size_t"};
    return name.starts_with('_') || name.starts_with("cuda") || name.starts_with("cublas") ||
           name.starts_with("atomic") || std::ranges::count(kWords, name) > 0;
}

class SubmissionChecker {
  public:
    explicit SubmissionChecker(std::string_view text)
        : text_(text), masked_(program::masked_text(text)), lines_(text) {}

    std::vector<FileMistake> run() {
        check_signs();
        for_each_word(masked_, [&](std::string_view word, std::size_t at) { check(word, at); });
        for (std::size_t at = 0; at < masked_.size(); ++at) {
            const std::size_t first = skip_blanks(masked_, at);
            if (first < masked_.size() && masked_[first] == '#') check_directive(first);
            at = masked_.find('\n', at);
            if (at == std::string::npos) break;
        }
        std::ranges::stable_sort(found_, {}, &FileMistake::line);
        return std::move(found_);
    }

  private:
    void refuse(std::size_t at, std::string sentence) {
        const int line = static_cast<int>(lines_.line_of(at));
        if (found_.empty() || found_.back().line != line)
            found_.push_back({line, std::move(sentence)});
    }

    // Other spellings of signs and letters, which would hide words from this check.
    void check_signs() {
        for (std::size_t at = 0; at + 1 < masked_.size(); ++at) {
            const std::string_view two = std::string_view(masked_).substr(at, 2);
            if (two == "##") refuse(at, "## is not accepted: it makes words of parts");
            if (two == "%:" || two == "??")
                refuse(at, std::string(two) + " is not accepted: write # and the usual signs");
            if (masked_[at] != '\\') continue;
            std::size_t behind = at + 1;
            if (masked_[behind] == '\r') ++behind;
            if (behind >= masked_.size() || masked_[behind] != '\n')
                refuse(at, "a \\ is only accepted at the end of a line of a macro");
            else if (at > 0 && program::is_word(masked_[at - 1]) && behind + 1 < masked_.size() &&
                     program::is_word(masked_[behind + 1]))
                refuse(at, "the \\ at the end of the line splits a word");
        }
    }

    void check(std::string_view word, std::size_t at) {
        if (holds_our_name(word))
            return refuse(at, std::string(word) + " is a name of Tilereel: use another one");
        for (const RefusedWord& each : kRefused)
            if (word == each.word || (each.begins && word.starts_with(each.word)))
                return refuse(at, std::string(word) + " " + std::string(each.why));
        if (word == "extern" &&
            word_at(masked_, program::skip_space(masked_, at + word.size())) != "__shared__")
            refuse(at, "extern is only accepted for shared memory: extern __shared__");
    }

    void check_directive(std::size_t hash) {
        const std::size_t at = skip_blanks(masked_, hash + 1);
        const std::string_view name = word_at(masked_, at);
        if (name.empty() && (at >= masked_.size() || masked_[at] == '\n')) return;  // "#" alone
        if (std::ranges::count(kDirectives, name) == 0)
            return refuse(hash, "#" + std::string(name) + " is not accepted");
        const std::size_t rest = skip_blanks(masked_, at + name.size());
        if (name == "include") check_include(hash, rest);
        if (name == "pragma" && word_at(masked_, rest) != "unroll" &&
            word_at(masked_, rest) != "once")
            refuse(hash, "#pragma " + std::string(word_at(masked_, rest)) +
                             " is not accepted; #pragma unroll is");
        if (name != "define" && name != "undef") return;
        defines_ = true;
        if (is_reserved(word_at(masked_, rest)))
            refuse(hash, "#" + std::string(name) + " changes " +
                             std::string(word_at(masked_, rest)) +
                             ", which belongs to C++ or CUDA: use another name");
    }

    void check_include(std::size_t hash, std::size_t at) {
        if (defines_) return refuse(hash, "write #include above the first #define");
        const std::string_view rest = std::string_view(text_).substr(at);
        const std::size_t end = rest.find('>');
        if (!rest.starts_with('<') || end > rest.find('\n'))
            return refuse(hash, "only headers in < > are accepted: the checked file stands alone");
        const std::string_view header = rest.substr(1, end - 1);
        if (std::ranges::count(kHeaders, header) == 0)
            refuse(hash, "<" + std::string(header) + "> is not accepted in an exercise");
    }

    std::string_view text_;
    std::string masked_;
    LineCounter lines_;
    bool defines_ = false;
    std::vector<FileMistake> found_;
};

// Follows the braces of a text to a function outside of all functions.
class FunctionFinder {
  public:
    FunctionFinder(std::string_view text, std::string_view name)
        : masked_(program::masked_text(text)), lines_(text), name_(name) {}

    std::optional<FileMistake> run() {
        for (std::size_t at = 0; at < masked_.size();) {
            const std::string_view word = word_at(masked_, at);
            if (!word.empty()) {
                if (std::optional<FileMistake> found = meet(word, at)) return found;
                at += word.size();
                continue;
            }
            const char c = masked_[at++];
            if (c == '#') at = std::min(masked_.find('\n', at), masked_.size());
            if (c == '{') scopes_.push_back(begun_.names_scope && !begun_.has_parameters);
            if (c == '}' && !scopes_.empty()) scopes_.pop_back();
            if (c == '(') begun_.has_parameters = true;
            if (c == '{' || c == '}' || c == ';') begun_ = {};
        }
        return std::nullopt;
    }

  private:
    // What has been read of a declaration.
    struct Declaration {
        std::string_view kind{};  // "static", "inline" or "template"
        bool names_scope = false, has_parameters = false;
    };

    std::optional<FileMistake> meet(std::string_view word, std::size_t at) {
        if (word == "static" || word == "inline" || word == "template") begun_.kind = word;
        if (word == "namespace" || word == "struct" || word == "class") begun_.names_scope = true;
        const std::size_t behind = program::skip_space(masked_, at + word.size());
        const bool in_code = std::ranges::count(scopes_, false) > 0;
        if (word != name_ || in_code || begun_.has_parameters || behind >= masked_.size() ||
            masked_[behind] != '(')
            return std::nullopt;
        const std::string own(name_);
        const int line = static_cast<int>(lines_.line_of(at));
        if (begun_.kind == "template")
            return FileMistake{line, own + " is a template: write it for the types of the task"};
        if (!begun_.kind.empty())
            return FileMistake{line, own + " is " + std::string(begun_.kind) +
                                         ", so the check cannot call it: leave out " +
                                         std::string(begun_.kind)};
        if (!scopes_.empty())
            return FileMistake{line, own +
                                         " is in a namespace or class, where the check does not "
                                         "find it: write it outside"};
        return std::nullopt;
    }

    std::string masked_;
    program::LineCounter lines_;
    std::string_view name_;
    std::vector<bool> scopes_;  // open braces: whether they are a namespace's or a class's
    Declaration begun_;
};

}  // namespace

std::vector<FileMistake> check_submission_text(std::string_view text) {
    return SubmissionChecker(text).run();
}

std::optional<FileMistake> hidden_function(std::string_view text, std::string_view name) {
    return FunctionFinder(text, name).run();
}

}  // namespace tilereel

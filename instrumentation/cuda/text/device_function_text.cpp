#include "instrumentation/cuda/text/device_function_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "instrumentation/cuda/text/brackets.h"
#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

// Specifiers with parentheses that can stand before a function's name.
constexpr std::array<std::string_view, 7> kSpecifiers = {
    "__launch_bounds__", "__attribute__", "__align__", "__maxnreg__",
    "__cluster_dims__",  "decltype",      "alignas"};

// Reads each character a fixed number of times: what it needs of the text behind a place, such as
// where a body begins, is found beforehand.
class DeclarationReader {
  public:
    DeclarationReader(std::string_view text, const SpecifierMacros& macros)
        : text_(text),
          macros_(macros),
          brackets_(text),
          lines_(text),
          bodies_(next_bodies(text, brackets_)) {}

    std::vector<DeviceFunction> run() {
        std::vector<DeviceFunction> found;
        for (std::size_t at = 0; at < text_.size();) {
            const char c = text_[at];
            if (c == ';' || c == '{' || c == '}') host_ = template_ = false;
            if (c == '#' && skip_definition(at)) continue;
            const std::string_view word = word_at(text_, at);
            see(word);
            at += std::max(word.size(), std::size_t{1});
            const Specifiers specifiers = macros_.of(word);
            if (specifiers.device || specifiers.kernel)
                if (std::optional<DeviceFunction> function = read(at)) {
                    function->kernel = specifiers.kernel;
                    // Macros in front of a function can look like functions.
                    if (found.empty() || found.back().body != function->body ||
                        found.back().end != function->end)
                        found.push_back(std::move(*function));
                }
        }
        return found;
    }

  private:
    // Moves behind the definition of a macro that stands for specifiers; false if there is none.
    bool skip_definition(std::size_t& at) {
        const MacroDefinition defined = macro_definition_at(text_, at);
        if (!macros_.of(defined.name).any()) return false;
        at = defined.end;
        host_ = template_ = false;
        return true;
    }
    // Notes what belongs to the declaration at hand.
    void see(std::string_view head) {
        host_ = host_ || head.find("__host__") != std::string_view::npos;
        if (!macros_.empty())
            for_each_word(head, [&](std::string_view word, std::size_t) {
                host_ = host_ || macros_.of(word).host;
            });
        template_ = template_ || head.find("template") != std::string_view::npos;
    }
    // The declaration that has __global__ or __device__ before `at`, which moves to where the
    // search goes on: behind the parameters, or to what shows that this is no function.
    [[nodiscard]] std::optional<DeviceFunction> read(std::size_t& at) {
        constexpr std::size_t kLongestOperator = 1024;  // "operator const Type<T>&"
        const std::size_t begin = at;
        std::size_t name = at, name_end = at;
        for (;;) {
            at = skip_space(text_, at);
            if (at >= text_.size()) return std::nullopt;
            const char c = text_[at];
            if (c == ';' || c == '=' || c == '{' || c == '}' || c == ')' || c == ',')
                return std::nullopt;  // a variable, a friend
            if (c == '(') {
                const std::string_view word = text_.substr(name, name_end - name);
                if (std::ranges::find(kSpecifiers, word) == kSpecifiers.end()) break;
                at = brackets_.behind(at);
                name = name_end = at;
            } else if (c == '[') {
                at = brackets_.behind(at);
            } else if (is_word(c)) {
                name = at;
                at += std::max(word_at(text_, at).size(), std::size_t{1});
                name_end = at;
                if (text_.substr(name, at - name) == "operator") {
                    const std::size_t open = text_.substr(at, kLongestOperator).find('(');
                    if (open == std::string_view::npos) return std::nullopt;
                    const bool is_call = skip_space(text_, name_end) == at + open;
                    at += open;
                    if (is_call) at = skip_space(text_, brackets_.behind(at));
                    name_end = at;
                    break;
                }
            } else {
                ++at;
            }
        }
        if (at >= text_.size() || text_[at] != '(') return std::nullopt;
        const std::size_t open = at++, close = brackets_.behind(open);
        if (close == text_.size() && text_.back() != ')') return std::nullopt;
        at = close;
        see(text_.substr(begin, close - begin));
        DeviceFunction function;
        function.name = text_.substr(name, name_end - name);
        function.line = lines_.line_of(name);
        function.parameters = parameters_of(text_.substr(open + 1, close - open - 2));
        function.body = bodies_[close];
        const bool has_body = function.body < text_.size() && text_[function.body] == '{';
        function.end = has_body ? brackets_.behind(function.body) : function.body;
        function.host = host_;
        function.is_template = template_;
        return function;
    }
    std::string_view text_;
    const SpecifierMacros& macros_;
    Brackets brackets_;
    LineCounter lines_;
    std::vector<std::uint32_t> bodies_;  // the { or ; that follows each place
    bool host_ = false,
         template_ = false;  // whether the declaration at hand is __host__, a template
};

KernelParameter parameter(std::string_view text) {
    text = text.substr(0, text.find('='));
    KernelParameter result;
    result.declaration = text;
    result.pointer =
        text.find('*') != std::string_view::npos || text.find('[') != std::string_view::npos;
    text = text.substr(0, text.find('['));
    for_each_word(text, [&](std::string_view word, std::size_t) {
        for (const char* const real : {"float", "double", "half", "__half", "bfloat16"})
            result.is_real = result.is_real || word == real;
        result.name = word;  // the last one
    });
    return result;
}

}  // namespace

std::vector<KernelParameter> parameters_of(std::string_view list) {
    std::vector<KernelParameter> result;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t at = 0; at <= list.size(); ++at) {
        const char c = at < list.size() ? list[at] : ',';
        if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
        if (c == ')' || c == ']' || c == '}' || c == '>') --depth;
        if (c != ',' || (depth > 0 && at < list.size())) continue;
        const std::string_view text = list.substr(begin, at - begin);
        begin = at + 1;
        const bool empty = std::ranges::all_of(text, is_space);
        if (!empty && text != "void") result.push_back(parameter(text));
    }
    return result;
}

std::vector<DeviceFunction> find_device_functions(std::string_view masked,
                                                  const SpecifierMacros& macros) {
    if (macros.empty() && masked.find("__global__") == std::string_view::npos &&
        masked.find("__device__") == std::string_view::npos)
        return {};
    return DeclarationReader(masked, macros).run();
}

}  // namespace tilereel::program

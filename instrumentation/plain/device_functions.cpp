#include "instrumentation/plain/device_functions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "instrumentation/plain/text_words.h"

namespace tilereel::plain {
namespace {

// Specifiers with parentheses that can stand before a function's name.
constexpr std::array<std::string_view, 7> kSpecifiers = {
    "__launch_bounds__", "__attribute__", "__align__", "__maxnreg__",
    "__cluster_dims__",  "decltype",      "alignas"};

class DeclarationReader {
  public:
    explicit DeclarationReader(std::string_view text) : text_(text) {}

    std::vector<DeviceFunction> run() {
        std::vector<DeviceFunction> found;
        for (std::size_t at = 0; at < text_.size();) {
            const std::string_view word = word_at(at);
            if (word.empty()) {
                ++at;
                continue;
            }
            const std::size_t behind = at + word.size();
            if (word == "__global__" || word == "__device__")
                if (std::optional<DeviceFunction> function = read(at, behind)) {
                    // One declaration can have several of these words.
                    if (found.empty() || found.back().body != function->body ||
                        found.back().end != function->end)
                        found.push_back(std::move(*function));
                }
            at = behind;
        }
        return found;
    }

  private:
    // The word that begins at `at`; empty if none begins there.
    [[nodiscard]] std::string_view word_at(std::size_t at) const {
        if (!is_word(text_[at]) || (at > 0 && is_word(text_[at - 1]))) return {};
        std::size_t end = at;
        while (end < text_.size() && is_word(text_[end])) ++end;
        return text_.substr(at, end - at);
    }
    [[nodiscard]] std::size_t skip_space(std::size_t at) const {
        while (at < text_.size() && is_space(text_[at])) ++at;
        return at;
    }
    // The position after the bracket that closes the one at `at`.
    [[nodiscard]] std::size_t behind_bracket(std::size_t at) const {
        int depth = 0;
        for (; at < text_.size(); ++at) {
            const char c = text_[at];
            if (c == '(' || c == '[' || c == '{') ++depth;
            if ((c == ')' || c == ']' || c == '}') && --depth == 0) return at + 1;
        }
        return text_.size();
    }
    // The declaration that has __global__ or __device__ at [begin, at).
    [[nodiscard]] std::optional<DeviceFunction> read(std::size_t begin, std::size_t at) const {
        DeviceFunction function;
        function.kernel = text_.substr(begin, at - begin) == "__global__";
        std::size_t name = at, name_end = at;
        for (;;) {
            at = skip_space(at);
            if (at >= text_.size()) return std::nullopt;
            const char c = text_[at];
            if (c == ';' || c == '=' || c == '{' || c == '}' || c == ')' || c == ',')
                return std::nullopt;  // a variable, a friend
            if (c == '(') {
                const std::string_view word = text_.substr(name, name_end - name);
                if (std::ranges::find(kSpecifiers, word) == kSpecifiers.end()) break;
                at = behind_bracket(at);
                name = name_end = at;
            } else if (c == '[') {
                at = behind_bracket(at);
            } else if (is_word(c)) {
                name = at;
                at += word_at(at).empty() ? 1 : word_at(at).size();
                name_end = at;
                if (text_.substr(name, at - name) == "operator") {
                    at = text_.find('(', at);
                    if (at == std::string_view::npos) return std::nullopt;
                    if (skip_space(name_end) == at) at = skip_space(behind_bracket(at));
                    name_end = at;
                    break;
                }
            } else {
                ++at;
            }
        }
        if (at >= text_.size() || text_[at] != '(') return std::nullopt;
        function.name = text_.substr(name, name_end - name);
        function.line = 1 + static_cast<unsigned>(std::ranges::count(text_.substr(0, name), '\n'));
        const std::size_t close = behind_bracket(at);
        function.parameters = parameters(text_.substr(at + 1, close - at - 2));
        at = close;
        while (at < text_.size() && text_[at] != '{' && text_[at] != ';')
            at = text_[at] == '(' ? behind_bracket(at) : at + 1;
        const bool has_body = at < text_.size() && text_[at] == '{';
        function.body = at;
        function.end = has_body ? behind_bracket(at) : at;
        const std::string_view head = head_before(begin, close);
        function.host = head.find("__host__") != std::string_view::npos;
        function.is_template = head.find("template") != std::string_view::npos;
        return function;
    }
    // The declaration from where it begins to `end`.
    [[nodiscard]] std::string_view head_before(std::size_t at, std::size_t end) const {
        std::size_t begin = at;
        while (begin > 0 && text_[begin - 1] != ';' && text_[begin - 1] != '{' &&
               text_[begin - 1] != '}')
            --begin;
        return text_.substr(begin, end - begin);
    }
    [[nodiscard]] static std::vector<KernelParameter> parameters(std::string_view list) {
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
    [[nodiscard]] static KernelParameter parameter(std::string_view text) {
        text = text.substr(0, text.find('='));
        KernelParameter result;
        result.pointer =
            text.find('*') != std::string_view::npos || text.find('[') != std::string_view::npos;
        text = text.substr(0, text.find('['));
        std::size_t end = text.size();
        while (end > 0 && !is_word(text[end - 1])) --end;
        std::size_t begin = end;
        while (begin > 0 && is_word(text[begin - 1])) --begin;
        result.name = text.substr(begin, end - begin);
        return result;
    }

    std::string_view text_;
};

}  // namespace

std::vector<DeviceFunction> find_device_functions(std::string_view masked) {
    return DeclarationReader(masked).run();
}

}  // namespace tilereel::plain

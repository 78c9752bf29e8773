#include <cctype>
#include <charconv>
#include <cmath>

#include "app/exercise/requirement.h"

namespace tilereel {
namespace {

constexpr int kDeepest = 50;  // parentheses within each other

class ExpressionReader {
  public:
    ExpressionReader(std::string_view text, const NamedNumbers& names)
        : text_(text), rest_(text), names_(names) {}

    Result<double> run() {
        const double value = TRY(sum());
        skip();
        if (!rest_.empty()) return misread();
        if (!std::isfinite(value))
            return wrong_call("\"" + std::string(text_) + "\" has no finite value");
        return value;
    }

  private:
    void skip() {
        while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    }
    bool take(char c) {
        skip();
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    [[nodiscard]] Error misread() const {
        return wrong_call("\"" + std::string(text_) +
                          "\" is no expression: write numbers and sizes with + - * / and "
                          "parentheses");
    }
    Result<double> sum() {
        double value = TRY(product());
        for (;;) {
            if (take('+'))
                value += TRY(product());
            else if (take('-'))
                value -= TRY(product());
            else
                return value;
        }
    }
    Result<double> product() {
        double value = TRY(factor());
        for (;;) {
            if (take('*'))
                value *= TRY(factor());
            else if (take('/'))
                value /= TRY(factor());
            else
                return value;
        }
    }
    Result<double> factor() {
        if (take('(')) {
            if (++depth_ > kDeepest) return misread();
            const double value = TRY(sum());
            --depth_;
            return take(')') ? Result<double>(value) : misread();
        }
        skip();
        double number = 0;
        const auto [end, error] =
            std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
        if (error == std::errc() && std::isfinite(number)) {
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            return number;
        }
        return name();
    }
    Result<double> name() {
        std::size_t length = 0;
        const auto is_part = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        };
        while (length < rest_.size() && is_part(rest_[length])) ++length;
        const std::string_view word = rest_.substr(0, length);
        rest_.remove_prefix(length);
        if (word.empty()) return misread();
        const auto found = names_.find(word);
        if (found != names_.end()) return found->second;
        std::string known;
        for (const auto& [each, value] : names_) known += (known.empty() ? "" : ", ") + each;
        return wrong_call("there is no size \"" + std::string(word) + "\"" +
                          (known.empty() ? "" : "; the sizes are " + known));
    }

    std::string_view text_, rest_;
    const NamedNumbers& names_;
    int depth_ = 0;
};

}  // namespace

Result<double> value_of_expression(std::string_view text, const NamedNumbers& names) {
    return ExpressionReader(text, names).run();
}

}  // namespace tilereel

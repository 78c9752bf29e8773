#include "app/exercise/read_signature.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace tilereel {
namespace {

constexpr std::array<std::string_view, 4> kTypes = {"float", "double", "int", "unsigned"};

Error misread() {
    return wrong_call(
        "write the function as \"void scale(const float* in, float* out, int n)\": arrays are "
        "pointers to float, double, int or unsigned, and const if they are only read; sizes are "
        "int or unsigned, scalars float or double");
}

bool is_name(std::string_view word) {
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
           std::ranges::all_of(word, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// Words and signs, without blanks.
std::vector<std::string> parts_of(std::string_view text) {
    std::vector<std::string> parts;
    bool in_word = false;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        const bool part_of_word = std::isalnum(code) != 0 || c == '_';
        if (part_of_word && in_word)
            parts.back() += c;
        else if (std::isspace(code) == 0)
            parts.emplace_back(1, c);
        in_word = part_of_word;
    }
    return parts;
}

class SignatureReader {
  public:
    explicit SignatureReader(const std::string& text) : parts_(parts_of(text)) {}

    Result<Signature> run() {
        Signature signature;
        if (!take("void") || !take_name(signature.name) || !take("(")) return misread();
        do {
            signature.parameters.push_back(TRY(parameter()));
        } while (take(","));
        if (!take(")")) return misread();
        static_cast<void>(take(";"));
        return at_ == parts_.size() ? Result<Signature>(std::move(signature)) : misread();
    }

  private:
    bool take(std::string_view part) {
        if (at_ >= parts_.size() || parts_[at_] != part) return false;
        ++at_;
        return true;
    }
    bool take_name(std::string& name) {
        if (at_ >= parts_.size() || !is_name(parts_[at_])) return false;
        name = parts_[at_++];
        return true;
    }
    Result<ExerciseParameter> parameter() {
        ExerciseParameter made;
        const bool constant = take("const");
        if (!take_name(made.type) || std::ranges::count(kTypes, made.type) == 0) return misread();
        const bool pointer = take("*");
        if (!take_name(made.name) || (constant && !pointer)) return misread();
        made.role = !pointer   ? (made.is_real() ? ExerciseParameter::Role::kScalar
                                                 : ExerciseParameter::Role::kSize)
                    : constant ? ExerciseParameter::Role::kInput
                               : ExerciseParameter::Role::kOutput;
        return made;
    }

    std::vector<std::string> parts_;
    std::size_t at_ = 0;
};

}  // namespace

Result<Signature> signature_of(const std::string& declaration) {
    return SignatureReader(declaration).run();
}

}  // namespace tilereel

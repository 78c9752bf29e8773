#pragma once
// Words of the field, each with a sentence that explains it to somebody who knows C.
#include <cstddef>
#include <string_view>
#include <vector>

namespace tilereel {

struct Term {
    std::string_view name, meaning;  // "bank conflict"; a sentence
};
// Where a text names a term, in its singular or plural: "bank_conflicts", too.
struct TermPlace {
    std::size_t begin = 0, end = 0;  // bytes of the text
    const Term* term = nullptr;
};
[[nodiscard]] const std::vector<Term>& glossary();
// The first place of each term, in the order of the text. A longer term comes before one that is
// part of it.
[[nodiscard]] std::vector<TermPlace> terms_in(std::string_view text);

}  // namespace tilereel

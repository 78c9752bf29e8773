#pragma once
// Character classes of C++ source text: identifiers and white space.
#include <cctype>

namespace tilereel::plain {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
inline bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

}  // namespace tilereel::plain

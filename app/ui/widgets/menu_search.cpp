// The row of a menu that typed text selects.
#include <algorithm>
#include <cctype>

#include "app/ui/widgets/menu.h"

namespace tilereel {
namespace {

bool begins_ignoring_case(std::string_view text, std::string_view typed) {
    const auto lower = [](unsigned char c) { return std::tolower(c); };
    return std::ranges::equal(text.substr(0, typed.size()), typed, {}, lower, lower);
}

bool begins(std::string_view title, std::string_view typed) {
    if (begins_ignoring_case(title, typed)) return true;
    title.remove_prefix(std::min(title.find_first_not_of('0'), title.size()));
    return !title.empty() && begins_ignoring_case(title, typed);
}

bool has_word(std::string_view title, std::string_view typed) {
    for (std::size_t at = 1; at < title.size(); ++at)
        if ((title[at - 1] == ' ' || title[at - 1] == '_' || title[at - 1] == '(') &&
            begins_ignoring_case(title.substr(at), typed))
            return true;
    return false;
}

}  // namespace

std::optional<std::size_t> row_typed(std::span<const MenuRow> rows, std::string_view typed) {
    if (typed.empty()) return std::nullopt;
    for (const auto matches : {begins, has_word})
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (!rows[i].heading && matches(rows[i].title, typed)) return i;
    return std::nullopt;
}

}  // namespace tilereel

#include "app/lesson/given_away.h"

#include <algorithm>
#include <set>

#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The numbers of a text: "1,024" and "1.5" are one each.
std::set<std::string> numbers_in(std::string_view text) {
    std::set<std::string> numbers;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_digit(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at + 1;
        while (end < text.size() &&
               (is_digit(text[end]) || ((text[end] == ',' || text[end] == '.') &&
                                        end + 1 < text.size() && is_digit(text[end + 1]))))
            ++end;
        numbers.emplace(text.substr(at, end - at));
        at = end;
    }
    return numbers;
}

}  // namespace

bool gives_away(std::string_view shown, std::string_view question, std::string_view answer) {
    const std::set<std::string> asked = numbers_in(question), seen = numbers_in(shown);
    std::set<std::string> added = numbers_in(answer);
    std::erase_if(added, [&](const std::string& number) { return asked.contains(number); });
    return !added.empty() && std::ranges::all_of(added, [&](const std::string& number) {
        return seen.contains(number);
    });
}

bool names_cost(std::string_view words, double value, std::string_view unit) {
    const std::string wanted =
        with_commas(static_cast<std::uint64_t>(value)) + " " + std::string(unit);
    for (std::size_t at = words.find(wanted); at != std::string_view::npos;
         at = words.find(wanted, at + 1))
        if (at == 0 || !(is_digit(words[at - 1]) || words[at - 1] == ',')) return true;
    return false;
}

}  // namespace tilereel

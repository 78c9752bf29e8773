#include "instrumentation/plain/brackets.h"

#include <limits>

namespace tilereel::plain {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Brackets::Brackets(std::string_view masked) : partners_(masked.size(), kNone) {
    std::vector<std::uint32_t> open;
    for (std::uint32_t at = 0; at < masked.size(); ++at) {
        if (opens(masked[at])) open.push_back(at);
        if (!closes(masked[at]) || open.empty()) continue;
        partners_[at] = open.back();
        partners_[open.back()] = at;
        open.pop_back();
    }
}

std::size_t Brackets::behind(std::size_t at) const {
    return partners_[at] == kNone ? partners_.size() : partners_[at] + std::size_t{1};
}

std::size_t Brackets::opening(std::size_t at) const {
    return partners_[at] == kNone ? std::string_view::npos : partners_[at];
}

std::vector<std::uint32_t> next_bodies(std::string_view masked, const Brackets& brackets) {
    std::vector<std::uint32_t> bodies(masked.size() + 1);
    bodies[masked.size()] = static_cast<std::uint32_t>(masked.size());
    // From the end to the beginning, so that each place is looked at once.
    for (std::size_t at = masked.size(); at-- > 0;) {
        const bool found = masked[at] == '{' || masked[at] == ';';
        bodies[at] = found ? static_cast<std::uint32_t>(at)
                           : bodies[masked[at] == '(' ? brackets.behind(at) : at + 1];
    }
    return bodies;
}

}  // namespace tilereel::plain

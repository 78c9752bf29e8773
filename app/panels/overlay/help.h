#pragma once
// The keys and the mouse actions that the help lists.
#include <span>

namespace tilereel {

struct KeyHelp {
    const char *keys, *does;  // two spaces separate the keys
};
struct HelpGroup {
    const char* title;
    std::span<const KeyHelp> keys;
};
[[nodiscard]] std::span<const HelpGroup> help_groups();

// The name under which the filter claims the keyboard while the help is open.
inline constexpr const char* kHelpFilter = "help.filter";

}  // namespace tilereel

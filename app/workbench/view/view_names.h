#pragma once
// The names of the window's choices in texts: saved views and commands.
#include <array>
#include <string_view>

#include "app/replay/places/navigation.h"
#include "app/workbench/view/view_state.h"

namespace tilereel {

// By the values of the enumeration, from 0 on.
template <class Enum>
struct Names;
template <>
struct Names<WindowMode> {
    static constexpr std::array kAll = {"replay", "race", "patterns", "lessons", "time"};
};
template <>
struct Names<SideTab> {
    static constexpr std::array kAll = {"source", "request", "counts", "variables"};
};
template <>
struct Names<Heat> {
    static constexpr std::array kAll = {"off", "global", "shared"};
};
template <>
struct Names<LineFigure> {
    static constexpr std::array kAll = {"ticks",      "accesses",  "sectors",
                                        "wavefronts", "lanes_off", "time"};
};
static_assert(Names<LineFigure>::kAll.size() == kLineFigures);
template <>
struct Names<SidesShown> {
    static constexpr std::array kAll = {"both", "left", "right"};
};
template <>
struct Names<StepUnit> {
    static constexpr std::array kAll = {"phase", "request", "wavefront"};
};
template <>
struct Names<PresenterTool> {
    static constexpr std::array kAll = {"none", "magnifier", "spotlight", "pen"};
};
template <>
struct Names<Curtain> {
    static constexpr std::array kAll = {"none", "black", "white"};
};

template <class Enum>
[[nodiscard]] const char* name_in_text(Enum value) {
    return Names<Enum>::kAll[static_cast<std::size_t>(value)];
}
// False if no value has this name.
template <class Enum>
bool read_name(std::string_view text, Enum& value) {
    for (std::size_t i = 0; i < Names<Enum>::kAll.size(); ++i) {
        if (text != Names<Enum>::kAll[i]) continue;
        value = static_cast<Enum>(i);
        return true;
    }
    return false;
}

}  // namespace tilereel

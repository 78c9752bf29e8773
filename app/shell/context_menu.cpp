#include "app/shell/context_menu.h"

#include <algorithm>

#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/widget_registry.h"

namespace tilereel {

void ContextMenu::heading(std::string title) {
    rows_.push_back(
        {.name = std::to_string(rows_.size()), .title = std::move(title), .heading = true});
    effects_.emplace_back();
}

void ContextMenu::add(std::string name, std::string title, std::string key, Effect effect) {
    rows_.push_back({.name = std::move(name), .title = std::move(title), .value = std::move(key)});
    effects_.push_back(std::move(effect));
}

bool ContextMenu::empty() const {
    return std::ranges::all_of(rows_, [](const MenuRow& row) { return row.heading; });
}

Commands draw_context_menu(const Look& look, std::optional<ContextMenu>& menu) {
    if (!menu) return {};
    constexpr const char* kName = "context";
    if (!menu_shows(kName)) {
        Rect widget;
        if (!menu->widget.empty() && find_widget(menu->widget, widget))
            menu->at = {widget.x, widget.y, 0, 0};
        open_menu(kName);
    }
    const MenuChoice chosen = draw_open_menu(look, kName, menu->at, menu->rows());
    if (menu_shows(kName)) return {};
    Commands commands;
    if (chosen.row >= 0)
        if (const auto& effect = menu->effect(static_cast<std::size_t>(chosen.row)))
            commands = effect();
    menu.reset();
    return commands;
}

}  // namespace tilereel

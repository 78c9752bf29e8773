#pragma once
// The menu of a right click, the Menu key or Shift+F10: what can be done with the cell, the source
// line, the moment or the contender under the pointer. By key, with those that the page is about.
//
// Widget names (register_widget): context.<row>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panels.h"
#include "app/stage/stage.h"
#include "app/ui/widgets/menu_row.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// The rows of the menu, and what each does. A heading does nothing.
class ContextMenu {
  public:
    using Effect = std::function<Commands()>;
    void heading(std::string title);
    // `key`: the key that does the same; empty: there is none.
    void add(std::string name, std::string title, std::string key, Effect effect);
    void add(std::string name, std::string title, std::string key, Command command) {
        add(std::move(name), std::move(title), std::move(key),
            [command = std::move(command)] { return Commands{command}; });
    }
    [[nodiscard]] const std::vector<MenuRow>& rows() const { return rows_; }
    [[nodiscard]] const Effect& effect(std::size_t row) const { return effects_[row]; }
    // Whether a row can be chosen.
    [[nodiscard]] bool empty() const;
    Rect at;  // the menu opens below it
    // If it is not empty: the menu opens at the top of this widget, which may be drawn only after
    // the key that asked for the menu.
    std::string widget;

  private:
    std::vector<MenuRow> rows_;
    std::vector<Effect> effects_;
};

// Their effects change `stage` and `panels`, which must outlive the menu.
struct ContextPlace {
    const Workbench& workbench;
    StageView& stage;
    PanelMemory& panels;
};
// For what is under the pointer. nullopt: nothing there has a menu.
[[nodiscard]] std::optional<ContextMenu> context_menu_at(const ContextPlace& place, ImVec2 mouse);
// For the running request and the moment, or for the contender that the race page looks at.
[[nodiscard]] std::optional<ContextMenu> context_menu_by_key(const ContextPlace& place);

// Clears what was under the pointer in the last frame. Call it before the panels are drawn.
void forget_pointed(StageView& stage, PanelMemory& panels);
// Draws the open menu, inside a window. Resets `menu` when it has closed.
[[nodiscard]] Commands draw_context_menu(const Look& look, std::optional<ContextMenu>& menu);

}  // namespace tilereel

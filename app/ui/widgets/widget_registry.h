#pragma once
// The rectangle of each widget in the frame, by name. Tests and the README's pictures use it.
#include <functional>
#include <string_view>

#include "app/ui/rect.h"

namespace tilereel {

// While an instance exists, widget names begin with `prefix`, so that a panel can be drawn twice.
class WidgetPrefix {
  public:
    explicit WidgetPrefix(std::string_view prefix);
    ~WidgetPrefix();
    WidgetPrefix(const WidgetPrefix&) = delete;
    WidgetPrefix& operator=(const WidgetPrefix&) = delete;
};

// Records where a widget is drawn in this frame. find_widget() returns false if no such widget was
// drawn.
void register_widget(std::string_view name, const Rect& rect);
[[nodiscard]] bool find_widget(std::string_view name, Rect& rect);
void clear_widgets();
// Calls `visit` for each widget in drawing order.
void for_each_widget(const std::function<void(std::string_view, const Rect&)>& visit);

}  // namespace tilereel

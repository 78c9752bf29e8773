#pragma once
// Where the widgets of a frame are, by name. Tests and the README's pictures use it.
#include <functional>
#include <string_view>

#include "app/ui/rect.h"

namespace tilereel {

// While it lives, names of widgets begin with `prefix`, so that a part can be drawn twice.
class WidgetPrefix {
  public:
    explicit WidgetPrefix(std::string_view prefix);
    ~WidgetPrefix();
    WidgetPrefix(const WidgetPrefix&) = delete;
    WidgetPrefix& operator=(const WidgetPrefix&) = delete;
};

// The rectangle of a widget drawn in the last frame.
void register_widget(std::string_view name, const Rect& rect);
[[nodiscard]] bool find_widget(std::string_view name, Rect& rect);
void clear_widgets();
// In the order drawn.
void for_each_widget(const std::function<void(std::string_view, const Rect&)>& visit);

}  // namespace tilereel

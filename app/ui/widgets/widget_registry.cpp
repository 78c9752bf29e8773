#include "app/ui/widgets/widget_registry.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/draw/draw.h"

namespace tilereel {
namespace {

// The rectangles of the last frame's widgets. Global, because the process has one window.
std::vector<std::pair<std::string, Rect>> g_widgets;
std::string g_prefix;  // set by WidgetPrefix

}  // namespace

WidgetPrefix::WidgetPrefix(std::string_view prefix) {
    g_prefix = prefix;
    ImGui::PushID(prefix.data(), prefix.data() + prefix.size());
}

WidgetPrefix::~WidgetPrefix() {
    g_prefix.clear();
    ImGui::PopID();
}

void register_widget(std::string_view name, const Rect& rect) {
    if (measures()) return;
    g_widgets.emplace_back(g_prefix + std::string(name), rect);
}

bool find_widget(std::string_view name, Rect& rect) {
    const auto found = std::ranges::find(g_widgets, name, &std::pair<std::string, Rect>::first);
    if (found == g_widgets.end()) return false;
    rect = found->second;
    return true;
}

void clear_widgets() { g_widgets.clear(); }

void for_each_widget(const std::function<void(std::string_view, const Rect&)>& visit) {
    for (const auto& [name, rect] : g_widgets) visit(name, rect);
}

}  // namespace tilereel

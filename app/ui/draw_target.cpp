#include "app/ui/draw_target.h"

#include <utility>

namespace tilereel {
namespace {

ImDrawList* g_drawn_on = nullptr;  // of the latest DrawOn; nullptr: none
int g_measuring = 0;               // the number of Measuring objects

}  // namespace

ImDrawList* draw_list() { return g_drawn_on != nullptr ? g_drawn_on : ImGui::GetWindowDrawList(); }
DrawOn::DrawOn(ImDrawList* list) : before_(std::exchange(g_drawn_on, list)) {}
DrawOn::~DrawOn() { g_drawn_on = before_; }

Clip::Clip(const Rect& rect) { draw_list()->PushClipRect(rect.min(), rect.max(), true); }
Clip::~Clip() { draw_list()->PopClipRect(); }

Measuring::Measuring() { ++g_measuring; }
Measuring::~Measuring() { --g_measuring; }
bool measures() { return g_measuring > 0; }

}  // namespace tilereel

#include "app/ui/draw/draw_target.h"

namespace tilereel {
namespace {

int g_measuring = 0;  // the number of Measuring objects

}  // namespace

ImDrawList* draw_list() { return ImGui::GetWindowDrawList(); }

Clip::Clip(const Rect& rect) { draw_list()->PushClipRect(rect.min(), rect.max(), true); }
Clip::~Clip() { draw_list()->PopClipRect(); }

Measuring::Measuring() { ++g_measuring; }
Measuring::~Measuring() { --g_measuring; }
bool measures() { return g_measuring > 0; }

}  // namespace tilereel

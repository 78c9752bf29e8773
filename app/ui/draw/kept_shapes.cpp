#include "app/ui/draw/kept_shapes.h"

#include <deque>
#include <utility>

#include "app/ui/draw/draw_target.h"

namespace tilereel {
namespace {

bool g_keeps = false;
std::deque<KeptShape> g_shapes;  // of the current frame; callbacks hold pointers into it

void stand_for_shape(const ImDrawList*, const ImDrawCmd*) {}  // a marker; OpenGL draws nothing

void keep(KeptShape shape) {
    draw_list()->AddCallback(stand_for_shape, &g_shapes.emplace_back(std::move(shape)));
}

}  // namespace

KeptShapes::KeptShapes()
    : lines_(ImGui::GetStyle().AntiAliasedLines), fill_(ImGui::GetStyle().AntiAliasedFill) {
    ImGui::GetStyle().AntiAliasedLines = ImGui::GetStyle().AntiAliasedFill = false;
    g_keeps = true;
}

KeptShapes::~KeptShapes() {
    g_keeps = false;
    ImGui::GetStyle().AntiAliasedLines = lines_;
    ImGui::GetStyle().AntiAliasedFill = fill_;
}

bool keeps_shapes() { return g_keeps; }

void keep_text(KeptText text) { keep(std::move(text)); }

void stroke_path(ImU32 color, float width, bool closed) {
    if (!g_keeps) {
        draw_list()->PathStroke(color, closed ? ImDrawFlags_Closed : ImDrawFlags_None, width);
        return;
    }
    const ImVector<ImVec2>& path = draw_list()->_Path;
    keep(KeptLine{{path.Data, path.Data + path.Size}, color, width, closed});
    draw_list()->PathClear();
}

const KeptShape* kept_shape(const ImDrawCmd& command) {
    return command.UserCallback == stand_for_shape
               ? static_cast<const KeptShape*>(command.UserCallbackData)
               : nullptr;
}

void new_frame_of_kept_shapes() { g_shapes.clear(); }

}  // namespace tilereel

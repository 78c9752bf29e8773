#include "app/ui/draw/drawn_text.h"

namespace tilereel {
namespace {

std::vector<DrawnText>* g_sink = nullptr;
int g_in_motion = 0;

}  // namespace

void record_drawn_text(std::vector<DrawnText>* into) { g_sink = into; }

void note_drawn_text(const ImDrawList* list, ImVec2 left_middle, ImVec2 size, std::string_view text,
                     const TextStyle& style) {
    if (g_sink == nullptr) return;
    const ImVec4 clip = list->_CmdHeader.ClipRect;
    g_sink->push_back({.text = std::string(text),
                       .face = style.face,
                       .px = style.px,
                       .box = {left_middle.x, left_middle.y - size.y / 2, size.x, size.y},
                       .clip = {clip.x, clip.y, clip.z - clip.x, clip.w - clip.y},
                       .color = style.color,
                       .list = list,
                       .in_motion = g_in_motion > 0});
}

void note_shortened_text(std::string_view whole) {
    if (g_sink == nullptr || g_sink->empty()) return;
    g_sink->back().text = whole;
    g_sink->back().shortened = true;
}

TextInMotion::TextInMotion() { ++g_in_motion; }
TextInMotion::~TextInMotion() { --g_in_motion; }

}  // namespace tilereel

#include "app/ui/frame/frame_painter.h"

#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <bit>

#include "app/ui/draw/clear.h"
#include "app/ui/gl/gl.h"

namespace tilereel {
namespace {

ImVec4 clip_of(const PixelRect& pixels) {
    return {static_cast<float>(pixels.left), static_cast<float>(pixels.top),
            static_cast<float>(pixels.right), static_cast<float>(pixels.bottom)};
}

// Two CPU cores draw so many pixels in about 7 ms. If more change, up to two thirds of them are
// postponed.
constexpr int kOnTimePixels = 180'000;
constexpr int kOnTimeTiles = kOnTimePixels / (FrameDamage::kTile * FrameDamage::kTile);
// If more than this share of the frame changes, it is a new page, which is drawn at once.
constexpr double kPageShare = 0.33;

// Limit of vertices for a draw command, so that an ImDrawIdx can address each. A primitive adds at
// most 6.
constexpr int kMostVertices = 0xffff - 6;

PixelRect pixels_of(const PixelRect& tiles, const PixelRect& whole) {
    constexpr int kTile = FrameDamage::kTile;
    return intersection(
        whole, {tiles.left * kTile, tiles.top * kTile, tiles.right * kTile, tiles.bottom * kTile});
}

}  // namespace

const std::vector<PixelRect>& FramePainter::paint(Painting painting) {
    ImDrawData& data = *ImGui::GetDrawData();
    const PixelRect whole{0, 0, static_cast<int>(data.DisplaySize.x * data.FramebufferScale.x),
                          static_cast<int>(data.DisplaySize.y * data.FramebufferScale.y)};
    const bool compared = damage_.compare(data);
    if (compared && painting == Painting::kOnTime) postpone_some();
    painted_.clear();
    if (compared)
        for (const PixelRect& tiles : damage_.parts()) painted_.push_back(pixels_of(tiles, whole));
    else
        painted_.push_back(whole);
    if (painted_.empty()) return painted_;
    parts_.resize(painted_.size());
    for (Part& part : parts_) part.first = 0;
    if (compared) {
        find_covers(data);
        select(data);
        exchange_buffers(data);
    }
    glViewport(0, 0, whole.right, whole.bottom);
    glEnable(GL_SCISSOR_TEST);
    glClearColor(0, 0, 0, 1);
    for (std::size_t i = 0; i < painted_.size(); ++i) {
        const PixelRect& part = painted_[i];
        if (parts_[i].first > 0) continue;  // a fill that covers the whole part is drawn first
        glScissor(part.left, whole.bottom - part.bottom, part.right - part.left,
                  part.bottom - part.top);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    if (compared) exchange_buffers(data);
    return painted_;
}

void FramePainter::postpone_some() {
    int changed = 0;
    for (const PixelRect& part : damage_.parts()) changed += part.area();
    if (changed > kOnTimeTiles && changed < kPageShare * damage_.tile_count())
        damage_.postpone(std::max(kOnTimeTiles, changed / 3));
}

// The parts that overlap these tiles, one bit for each part.
std::uint64_t FramePainter::parts_touched(const PixelRect& tiles) const {
    std::uint64_t touched = 0;
    const auto tile_count = static_cast<std::size_t>(tiles.area());
    const std::vector<PixelRect>& parts = damage_.parts();
    if (tile_count > parts.size()) {
        for (std::size_t part = 0; part < parts.size(); ++part)
            if (!intersection(parts[part], tiles).empty()) touched |= std::uint64_t{1} << part;
        return touched;
    }
    for (int row = tiles.top; row < tiles.bottom; ++row)
        for (int column = tiles.left; column < tiles.right; ++column)
            if (const int part = damage_.part_of(column, row); part >= 0)
                touched |= std::uint64_t{1} << part;
    return touched;
}

// Finds for each part the last fill that covers all of it: nothing before that fill is visible.
void FramePainter::find_covers(const ImDrawData& data) {
    const std::vector<DrawnCommand>& commands = damage_.commands();
    for (std::size_t c = 0; c < commands.size(); ++c) {
        const ImDrawList& list = *data.CmdLists[commands[c].list];
        if (queued_clear(list.CmdBuffer[commands[c].command]) == nullptr) continue;
        for (std::size_t part = 0; part < parts_.size(); ++part)
            if (intersection(commands[c].clip, painted_[part]) == painted_[part])
                parts_[part].first = c;
    }
}

// Selects the primitives that touch a changed part. The draws of a command into all parts follow
// each other, so that only the first one sets OpenGL's state. Parts do not overlap, so the order of
// commands within each part is kept.
void FramePainter::select(const ImDrawData& data) {
    lists_.resize(static_cast<std::size_t>(data.CmdListsCount));
    for (List& list : lists_) {
        list.commands.resize(0);
        list.indices.resize(0);
        list.vertices.resize(0);
    }
    const std::vector<DrawnCommand>& commands = damage_.commands();
    for (std::size_t c = 0; c < commands.size(); ++c) {
        const DrawnCommand& drawn = commands[c];
        const ImDrawList& list = *data.CmdLists[drawn.list];
        std::uint64_t into = 0;
        for (Part& part : parts_) part.primitives.clear();
        for (std::uint32_t i = 0; i < drawn.count; ++i) {
            const DrawnPrimitive& primitive = damage_.primitives()[drawn.first + i];
            for (std::uint64_t touched = parts_touched(primitive.tiles); touched != 0;
                 touched &= touched - 1) {
                const auto number = static_cast<std::size_t>(std::countr_zero(touched));
                Part& part = parts_[number];
                if (c < part.first) continue;
                into |= std::uint64_t{1} << number;
                part.primitives.push_back(&primitive);
            }
        }
        if (into != 0) add(drawn, list, into);
    }
}

// Appends a command whose indices start at the next vertex of the list.
void FramePainter::begin_command(List& list, ImDrawCmd& command) {
    command.VtxOffset = static_cast<unsigned>(list.vertices.Size);
    command.IdxOffset = static_cast<unsigned>(list.indices.Size);
    command.ElemCount = 0;
    list.commands.push_back(command);
}

// Appends the primitives selected from a command, once for each part whose bit is set in `into`.
void FramePainter::add(const DrawnCommand& drawn, const ImDrawList& from, std::uint64_t into) {
    List& list = lists_[static_cast<std::size_t>(drawn.list)];
    ImDrawCmd command = from.CmdBuffer[drawn.command];
    const ImDrawVert* const vertices = from.VtxBuffer.Data + command.VtxOffset;
    for (; into != 0; into &= into - 1) {
        const auto number = static_cast<std::size_t>(std::countr_zero(into));
        command.ClipRect = clip_of(intersection(drawn.clip, painted_[number]));
        begin_command(list, command);
        for (const DrawnPrimitive* const primitive : parts_[number].primitives) {
            if (list.vertices.Size - static_cast<int>(command.VtxOffset) > kMostVertices)
                begin_command(list, command);
            const ImDrawIdx* const indices = from.IdxBuffer.Data + primitive->first;
            for (std::uint32_t i = 0; i < primitive->count; ++i) {
                // The second triangle shares vertices with the first.
                const auto same = std::find(indices, indices + i, indices[i]) - indices;
                const bool is_new = same == i;
                if (is_new) list.vertices.push_back(vertices[indices[i]]);
                list.indices.push_back(
                    is_new ? static_cast<ImDrawIdx>(list.vertices.Size - 1 -
                                                    static_cast<int>(command.VtxOffset))
                           : list.indices[list.indices.Size - static_cast<int>(i - same)]);
            }
            list.commands.back().ElemCount += primitive->count;
        }
    }
    if (command.UserCallback == nullptr || queued_clear(command) != nullptr) return;
    ImDrawCmd reset;
    reset.UserCallback = ImDrawCallback_ResetRenderState;
    list.commands.push_back(reset);
}

void FramePainter::exchange_buffers(ImDrawData& data) {
    for (int n = 0; n < data.CmdListsCount; ++n) {
        data.CmdLists[n]->CmdBuffer.swap(lists_[static_cast<std::size_t>(n)].commands);
        data.CmdLists[n]->IdxBuffer.swap(lists_[static_cast<std::size_t>(n)].indices);
        data.CmdLists[n]->VtxBuffer.swap(lists_[static_cast<std::size_t>(n)].vertices);
    }
}

}  // namespace tilereel

#include "app/ui/frame_painter.h"

#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <bit>

#include "app/ui/clear.h"
#include "app/ui/gl.h"

namespace tilereel {
namespace {

ImVec4 clip_of(const PixelRect& pixels) {
    return {static_cast<float>(pixels.left), static_cast<float>(pixels.top),
            static_cast<float>(pixels.right), static_cast<float>(pixels.bottom)};
}

PixelRect pixels_of(const PixelRect& tiles, const PixelRect& whole) {
    constexpr int kTile = FrameDamage::kTile;
    return common_part(
        whole, {tiles.left * kTile, tiles.top * kTile, tiles.right * kTile, tiles.bottom * kTile});
}

}  // namespace

const std::vector<PixelRect>& FramePainter::paint() {
    ImDrawData& data = *ImGui::GetDrawData();
    const PixelRect whole{0, 0, static_cast<int>(data.DisplaySize.x * data.FramebufferScale.x),
                          static_cast<int>(data.DisplaySize.y * data.FramebufferScale.y)};
    const bool compared = damage_.compare(data);
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
        if (parts_[i].first > 0) continue;  // what is drawn begins with all of it
        glScissor(part.left, whole.bottom - part.bottom, part.right - part.left,
                  part.bottom - part.top);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    if (compared) exchange_buffers(data);
    return painted_;
}

// A bit for each part.
std::uint64_t FramePainter::parts_touched(const PixelRect& tiles) const {
    std::uint64_t touched = 0;
    const auto tile_count = static_cast<std::size_t>(tiles.right - tiles.left) *
                            static_cast<std::size_t>(tiles.bottom - tiles.top);
    const std::vector<PixelRect>& parts = damage_.parts();
    if (tile_count > parts.size()) {
        for (std::size_t part = 0; part < parts.size(); ++part)
            if (!common_part(parts[part], tiles).empty()) touched |= std::uint64_t{1} << part;
        return touched;
    }
    for (int row = tiles.top; row < tiles.bottom; ++row)
        for (int column = tiles.left; column < tiles.right; ++column)
            if (const int part = damage_.part_of(column, row); part >= 0)
                touched |= std::uint64_t{1} << part;
    return touched;
}

void FramePainter::add(std::size_t index, const ImDrawList& list, const DrawnCommand& drawn,
                       const DrawnPrimitive& primitive) {
    Part& part = parts_[index];
    if (part.of_command != drawn.command) {
        part.of_command = drawn.command;
        ImDrawCmd command = list.CmdBuffer[drawn.command];
        command.ClipRect = clip_of(common_part(drawn.clip, painted_[index]));
        command.IdxOffset = static_cast<unsigned>(part.indices.size());
        command.ElemCount = 0;
        part.commands.push_back(command);
        if (command.UserCallback != nullptr && queued_clear(command) == nullptr) {
            ImDrawCmd reset;
            reset.UserCallback = ImDrawCallback_ResetRenderState;
            part.commands.push_back(reset);
        }
    }
    part.commands.back().ElemCount += primitive.count;
    const ImDrawIdx* const first = list.IdxBuffer.Data + primitive.first;
    part.indices.insert(part.indices.end(), first, first + primitive.count);
}

// Of each part, the last fill that hides all that was drawn in it before.
void FramePainter::find_covers(const ImDrawData& data) {
    const std::vector<DrawnCommand>& commands = damage_.commands();
    for (std::size_t c = 0; c < commands.size(); ++c) {
        const ImDrawList& list = *data.CmdLists[commands[c].list];
        if (queued_clear(list.CmdBuffer[commands[c].command]) == nullptr) continue;
        for (std::size_t part = 0; part < parts_.size(); ++part)
            if (common_part(commands[c].clip, painted_[part]) == painted_[part])
                parts_[part].first = c;
    }
}

void FramePainter::select(const ImDrawData& data) {
    lists_.resize(static_cast<std::size_t>(data.CmdListsCount));
    auto drawn = damage_.commands().begin();
    for (int n = 0; n < data.CmdListsCount; ++n) {
        const ImDrawList& list = *data.CmdLists[n];
        for (Part& part : parts_) {
            part.commands.clear();
            part.indices.clear();
            part.of_command = -1;
        }
        for (; drawn != damage_.commands().end() && drawn->list == n; ++drawn) {
            const auto at = static_cast<std::size_t>(drawn - damage_.commands().begin());
            for (std::uint32_t i = 0; i < drawn->count; ++i) {
                const DrawnPrimitive& primitive = damage_.primitives()[drawn->first + i];
                for (std::uint64_t touched = parts_touched(primitive.tiles); touched != 0;
                     touched &= touched - 1) {
                    const auto part = static_cast<std::size_t>(std::countr_zero(touched));
                    if (at >= parts_[part].first) add(part, list, *drawn, primitive);
                }
            }
        }
        List& selected = lists_[static_cast<std::size_t>(n)];
        selected.commands.resize(0);
        selected.indices.resize(0);
        for (const Part& part : parts_) {
            for (ImDrawCmd command : part.commands) {
                command.IdxOffset += static_cast<unsigned>(selected.indices.Size);
                selected.commands.push_back(command);
            }
            for (const ImDrawIdx index : part.indices) selected.indices.push_back(index);
        }
    }
}

void FramePainter::exchange_buffers(ImDrawData& data) {
    for (int n = 0; n < data.CmdListsCount; ++n) {
        data.CmdLists[n]->CmdBuffer.swap(lists_[static_cast<std::size_t>(n)].commands);
        data.CmdLists[n]->IdxBuffer.swap(lists_[static_cast<std::size_t>(n)].indices);
    }
}

}  // namespace tilereel

#pragma once
// The fixture of tests that examine pixels. They are skipped if EGL is missing.
#include <gtest/gtest.h>
#include <imgui.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include "app/ui/draw/draw.h"
#include "app/ui/frame/offscreen.h"
#include "app/ui/theme.h"

namespace tilereel {

inline ImU32 pixel(const Image& image, int x, int y) {
    const std::uint8_t* p = image.at(x, y);
    return IM_COL32(p[0], p[1], p[2], 255);
}

// The largest difference of two colours in a channel (red, green, blue).
inline int distance(ImU32 a, ImU32 b) {
    int most = 0;
    for (int shift = 0; shift < 24; shift += 8)
        most = std::max(most, std::abs(static_cast<int>((a >> shift) & 0xff) -
                                       static_cast<int>((b >> shift) & 0xff)));
    return most;
}

// Calls draw() in a window that covers the picture.
inline void draw_in_window(const std::function<void()>& draw) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("test", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
    draw_list()->PushClipRectFullScreen();
    draw();
    draw_list()->PopClipRect();
    ImGui::End();
}

class OffscreenTest : public testing::Test {
  protected:
    static constexpr int kWidth = 320, kHeight = 200;
    void SetUp() override {
        auto made = OffscreenRenderer::create(kWidth, kHeight);
        if (!made) GTEST_SKIP() << "no picture can be made here: " << made.error().message;
        renderer_ = std::move(made).value();
    }
    // Draws on a full panel-coloured window.
    Image render(const std::function<void()>& draw) {
        renderer_->draw_settled(0, [&](double) {
            draw_in_window([&] {
                draw_list()->AddRectFilled({0, 0}, ImGui::GetIO().DisplaySize,
                                           look_.colors().panel);
                draw();
            });
        });
        return renderer_->read();
    }
    std::unique_ptr<OffscreenRenderer> renderer_;
    Look look_;
};

}  // namespace tilereel

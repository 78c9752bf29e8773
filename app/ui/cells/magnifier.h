#pragma once
// A lens that shows an enlarged copy of the pixels drawn before it. Without OpenGL it draws
// nothing.
#include <imgui.h>

#include <memory>

#include "app/ui/theme.h"

namespace tilereel {

class Magnifier {
  public:
    Magnifier();
    ~Magnifier();  // the OpenGL context in which it was drawn must be current
    Magnifier(Magnifier&&) noexcept;
    Magnifier& operator=(Magnifier&&) noexcept;

    // `list` must be drawn after everything that the lens magnifies. `center` and `radius` are in
    // pixels of the window.
    void draw(ImDrawList& list, const Look& look, ImVec2 center, float radius, float zoom);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tilereel

#pragma once
// A lens: shows what was drawn beneath it, larger. Nothing is drawn where there is no GL.
#include <imgui.h>

#include <memory>

#include "app/ui/theme.h"

namespace tilereel {

class Magnifier {
  public:
    Magnifier();
    ~Magnifier();  // while the GL context that it was drawn in is current
    Magnifier(Magnifier&&) noexcept;
    Magnifier& operator=(Magnifier&&) noexcept;

    // On `list`, whose commands come after those of what is magnified. `center` and `radius` in
    // pixels of the window.
    void draw(ImDrawList* list, const Look& look, ImVec2 center, float radius, float zoom);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tilereel

#pragma once
// Which of the installed font files hold a face, by fontconfig.
#include <string>
#include <vector>

#include "app/ui/face.h"

namespace tilereel {

// The wanted one first (Inter, JetBrains Mono), then DejaVu, then what the system takes for a font
// of that kind. Empty if no font is installed. A variable font is left out: only one of its weights
// could be drawn.
[[nodiscard]] std::vector<std::string> files_of(Face face);

}  // namespace tilereel

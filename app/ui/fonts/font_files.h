#pragma once
// Finds the installed font files of a face with fontconfig.
#include <string>
#include <vector>

#include "app/ui/fonts/text_style.h"

namespace tilereel {

// File paths, best first: the wanted font (Inter, JetBrains Mono), then DejaVu, then the system's
// default for this kind of font. Empty if no font is installed. Variable fonts are left out,
// because Dear ImGui can draw only one of their weights.
[[nodiscard]] std::vector<std::string> files_of(Face face);

}  // namespace tilereel

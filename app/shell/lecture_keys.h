#pragma once
// Keys of a lecture: lessons, questions, and the presenter's tools.
#include <optional>

#include "app/panels/panels.h"
#include "app/ui/keys.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// nullopt: the key is none of these, and means what it always does.
[[nodiscard]] std::optional<Commands> lecture_command(const KeyPress& press,
                                                      const Workbench& workbench,
                                                      PanelMemory& panels);

}  // namespace tilereel

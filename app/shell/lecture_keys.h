#pragma once
// The keys for lectures: lessons, questions, and the presenter's tools.
#include <optional>

#include "app/panels/panels.h"
#include "app/ui/widgets/keys.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// nullopt if the key is none of these and has its usual meaning.
[[nodiscard]] std::optional<Commands> lecture_command(const KeyPress& press,
                                                      const Workbench& workbench,
                                                      PanelMemory& panels);

}  // namespace tilereel

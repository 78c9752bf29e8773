#pragma once
// A session of the program with its window, from opening to closing.
#include "app/cli/commands.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// Returns when the window is closed, or after WindowOptions::frames frames. kFailed if there is no
// display or no OpenGL 3.3, or if a file other than a race is not a trace.
Status run_window(const WindowOptions& options);

}  // namespace tilereel

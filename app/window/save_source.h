#pragma once
// Writes the text of a file that is edited in the window.
#include <filesystem>
#include <string>

#include "app/workbench/commands/window_commands.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// Replaces the file at once, and keeps its mode. kChangedOnDisk, and nothing is written: the file
// is no longer what was read (SaveSource::was), and SaveSource::replaces is not set. A file that is
// gone is written anew.
[[nodiscard]] Result<SourceSaved> save_source(const SaveSource& save);

}  // namespace tilereel

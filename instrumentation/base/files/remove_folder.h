#pragma once
// Removes folders without following links.

namespace tilereel {

// Removes the folder `name` in the open folder `parent`, with all that is in it, if it is still the
// folder that `expected` has open. Links are removed, not followed; folders on other file systems
// stay. Folders may be nested to any depth and may lack permissions. True if the folder is gone.
// `last`: the file in the folder that goes last, so that a removal which is interrupted can be
// completed by whoever looks for that file.
bool remove_folder(int parent, const char* name, int expected, const char* last);

}  // namespace tilereel

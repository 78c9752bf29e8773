#pragma once
// What a process needs before it does anything else.

namespace tilereel {

// Gives the process standard descriptors, if it was started without, the usual handling of children
// that end, access to the files that it makes, and a stack of at least a mebibyte, for which the
// process may begin anew. Call it first in main(). Returns the exit code if
// the process cannot go on, after a sentence; else 0.
[[nodiscard]] int prepare_surroundings(char** argv);

}  // namespace tilereel

#pragma once

namespace tilereel::runtime {

// Tells the parent, once for each name, that a function of a library ran on the host instead of the
// GPU, and is not recorded.
void note_host_call(const char* name);

}  // namespace tilereel::runtime

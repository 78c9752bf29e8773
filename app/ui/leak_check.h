#pragma once

namespace tilereel {

// Graphics drivers keep memory until the process ends. Under AddressSanitizer this keeps their
// libraries loaded, so that the leak report can name them and its suppressions work. Otherwise it
// does nothing. Call it while the OpenGL context is current.
void keep_drivers_for_leak_check();

}  // namespace tilereel

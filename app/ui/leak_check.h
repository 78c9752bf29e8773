#pragma once

namespace tilereel {

// Graphics drivers keep memory until the process ends. Under AddressSanitizer their libraries are
// kept loaded too, so that its leak check can tell theirs from ours; otherwise this does nothing.
// Call when the context is current.
void keep_drivers_for_leak_check();

}  // namespace tilereel

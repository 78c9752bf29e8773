#pragma once
// Settings for graphics drivers.

namespace tilereel {

// Drivers print nothing, and they work where the system cannot start threads. Call this and the
// next function before the first use of OpenGL, while the process has one thread.
void prepare_drivers();
// By default Xlib prints its own message and ends the program when the display connection is lost
// or a request fails. After this call the program prints one sentence of ours and ends with exit
// code 1. Call it after glfwInit(), which loads Xlib; without Xlib it does nothing.
void take_over_display_errors();
// Graphics drivers keep memory until the process ends. Under AddressSanitizer this keeps their
// libraries loaded, so that the leak report can name them and its suppressions work. Otherwise it
// does nothing. Call it while the OpenGL context is current.
void keep_drivers_for_leak_check();

}  // namespace tilereel

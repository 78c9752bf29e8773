#pragma once
// Settings for graphics drivers: they print nothing, and they work where the system cannot start
// threads. Call each function before the first use of OpenGL, while the process has one thread.

namespace tilereel {

void prepare_drivers();
// By default Xlib prints its own message and ends the program when the display connection is lost
// or a request fails. After this call the program prints one sentence of ours and ends with exit
// code 1. Call it after glfwInit(), which loads Xlib; without Xlib it does nothing.
void take_over_display_errors();

}  // namespace tilereel

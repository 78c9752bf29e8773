#pragma once
// Graphics drivers as a command's user wants them: they print nothing, and work where the system
// is short of threads. Call each before the first use of OpenGL, while there are no other threads.

namespace tilereel {

void prepare_drivers();
// Xlib ends the program when the display goes or refuses a request: then with our one sentence
// instead of its own lines, and exit code 1.
void take_over_display_errors();

}  // namespace tilereel

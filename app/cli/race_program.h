#pragma once

namespace tilereel {

// `tilereel race` as a program of its own, for a machine with a GPU that lacks the libraries of the
// window. Returns the exit code.
int run_race_program(int argc, char** argv);

}  // namespace tilereel

#include "app/cli/race_program.h"

// A unit of its own, because CLI11 takes seconds to compile.
int main(int argc, char** argv) { return tilereel::run_race_program(argc, argv); }

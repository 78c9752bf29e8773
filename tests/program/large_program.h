#pragma once
// Programs of which only some blocks are recorded. The other blocks run a second version of the
// code, without hooks, on all cores.
#include <cstdlib>

#include "tests/program/program_fixture.h"

namespace tilereel::program {

class LargeProgram : public Program {
  protected:
    LargeProgram() {
        setenv("TILEREEL_RECORD_WORKERS", "4", 1);
        request_.limits.accesses_a_launch = 1;  // three blocks of each launch
        request_.limits.seconds = 20;
    }
    ~LargeProgram() override { unsetenv("TILEREEL_RECORD_WORKERS"); }
};

}  // namespace tilereel::program

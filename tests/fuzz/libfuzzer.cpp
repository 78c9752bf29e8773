// The function that libFuzzer calls. TILEREEL_FUZZ_TARGET is one of the functions of targets.h.
#include <cstddef>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tilereel::fuzz::TILEREEL_FUZZ_TARGET({data, size});
    return 0;
}

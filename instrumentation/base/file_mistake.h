#pragma once
// A mistake in a file that a person wrote: a lesson, the facts about the kernels.
#include <string>

namespace tilereel {

struct FileMistake {
    int line = 0;  // of the file, from 1 on; 0: of no line
    std::string sentence;
};

}  // namespace tilereel

#pragma once
// A mistake in a file that a person wrote, such as a lesson or the facts about the kernels.
#include <string>

namespace tilereel {

struct FileMistake {
    int line = 0;  // in the file, from 1; 0: no line
    std::string sentence;
};

}  // namespace tilereel

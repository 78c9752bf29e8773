#pragma once
// The other side of a comparison as text.
#include <string>

#include "app/subject/subject.h"

namespace tilereel {

// `what` is a kernel such as "02_naive", the path of a trace or a CUDA program, or fields of a
// subject that differ from `own`, the watched launch: "pad=1", "tile=16,pad=1", "generation=1.3",
// "barrier=24" (left out; 0: none), "define=N=8", "launch=1", "file=/home/me/other.npz". A kernel
// takes the other parameters of `own` as far as it can have them. A side that differs only in the
// generation from a program or a trace names neither a kernel nor a file: it is the same recording.
// kWrongCall with a sentence that says what is possible. Does not check whether the file exists.
[[nodiscard]] Result<Subject> side_of_text(const std::string& what, const Subject& own);

// A file that is compared. kWrongCall if there is none, or if it is neither a program nor a trace.
[[nodiscard]] Status check_compared_file(const Subject& side);

}  // namespace tilereel

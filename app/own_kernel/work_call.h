#pragma once
// How a kernel that is no product is launched for any n, recognised from a recording of its
// program.
//
// n is what makes the largest array larger: an integer parameter that is its number of elements, or
// one of two or three whose product is; without such a parameter, the number of threads. Everything
// else keeps its value, or follows n where it was equal to n, to its grid, or to a multiple. A
// guess may be wrong, so work_reference.h runs the launch on the CPU at two sizes before anything
// races.
#include <string>

#include "app/own_kernel/own_call.h"

namespace tilereel {

// A launch as the user may write it.
inline constexpr const char* kExampleOfWork =
    "sum<<<(n + 255) / 256, 256>>>(x, out, n) with n = 4096, x[n], out[(n + 255) / 256]";

// Product or not. kWrongCall with what is not clear; kFailed: such a kernel cannot race.
[[nodiscard]] Result<OwnCall> recognise_own(const Trace& trace);
[[nodiscard]] Result<OwnCall> recognise_work(const Trace& trace);

// The launch as one line, which the user may change: the statement and, of what is no product, the
// n of the program and the arrays with their lengths, as in kExampleOfWork.
[[nodiscard]] std::string text_of(const OwnCall& call);
// Whether such a line is of a product: it has A, B and C.
[[nodiscard]] bool is_of_product(const std::string& text);
// The launch of a line. `trace`: the recorded launch, for the arrays of what is no product and for
// what the line leaves out. kWrongCall with what is wrong or missing.
[[nodiscard]] Result<OwnCall> own_call_of(const std::string& text, const Trace& trace);

}  // namespace tilereel

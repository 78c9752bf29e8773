#pragma once
// What commands print goes through here: a full disk or a closed pipe is noticed.
#include <string_view>

#include "instrumentation/base/result.h"

namespace tilereel {

// To stdout, at once.
Status print_out(std::string_view text);

}  // namespace tilereel

#pragma once
// Report text about the differences between the compiled code and the source code.
#include <nlohmann/json.hpp>
#include <string>

#include "app/workbench/tables/as_compiled.h"

namespace tilereel {

// A row for each counter that either version has, and the reasons for differences.
[[nodiscard]] std::string compiled_text(const AsCompiled& compiled);
// Adds "as_compiled": {"gpu", "driver", "toolkit", "date", "written": {...}, "compiled": {...},
// "why": [...]}, or {"missing": "..."} for a launch that was not measured.
void put_as_compiled(nlohmann::ordered_json& json, const AsCompiled& compiled);

}  // namespace tilereel

#pragma once
// The text of the instructions of tensor cores: "mma.sync.aligned.m16n8k16.row.col...".
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/fragments/matrix_type.h"

namespace tilereel {

// The parts between dots: "mma", "sync", ...
[[nodiscard]] std::vector<std::string_view> parts_of_instruction(std::string_view instruction);
// "m16n8k16". Any numbers are read, whether an instruction has the shape or not.
[[nodiscard]] std::optional<MatrixShape> written_shape(std::string_view part);
[[nodiscard]] std::string shape_text(const MatrixShape& shape);
// The error for an instruction that is not taken. `why` says what to do.
[[nodiscard]] Error not_taken(std::string_view instruction, const std::string& why);

}  // namespace tilereel

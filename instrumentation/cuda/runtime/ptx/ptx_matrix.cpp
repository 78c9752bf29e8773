#include "instrumentation/cuda/runtime/ptx/ptx_values.h"

namespace tilereel::runtime {

PtxBind matrix_instruction(std::string_view) { return nullptr; }

}  // namespace tilereel::runtime

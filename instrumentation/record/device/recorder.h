#pragma once
// Records with whatever the request asks for.
#include <string>

#include "instrumentation/record/record.h"

namespace tilereel {

// kGpu fails where no GPU works; kAuto then records with the emulator. A kernel without one of its
// barriers always runs in the emulator. Where the emulator took the GPU's place, `without_gpu` (may
// be null) says why.
Result<Trace> record(const RecordRequest& request, RecordProgress* progress = nullptr,
                     std::string* without_gpu = nullptr);

}  // namespace tilereel

#pragma once
// Records with whatever the request asks for.
#include <string>

#include "instrumentation/record/record.h"

namespace tilereel {

// kGpu fails where no GPU works; kAuto then records with the emulator, and says why in
// `without_gpu` (may be null).
Result<Trace> record(const RecordRequest& request, RecordProgress* progress = nullptr,
                     std::string* without_gpu = nullptr);

}  // namespace tilereel

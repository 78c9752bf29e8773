#pragma once
// Records with whatever the request asks for.
#include <functional>
#include <memory>
#include <string>

#include "instrumentation/record/record.h"
#include "kernels/cuda/gpu.h"

namespace tilereel {

// kGpu fails where no GPU works; kAuto then records with the emulator. A kernel without one of its
// barriers always runs in the emulator. Where the emulator took the GPU's place, `without_gpu` (may
// be null) says why.
Result<Trace> record(const RecordRequest& request, RecordProgress* progress = nullptr,
                     std::string* without_gpu = nullptr);

// The same, with another GPU than this computer's first.
using OpenGpu = std::function<Result<std::unique_ptr<Gpu>>()>;
Result<Trace> record_on(const OpenGpu& open, const RecordRequest& request,
                        RecordProgress* progress = nullptr, std::string* without_gpu = nullptr);

}  // namespace tilereel

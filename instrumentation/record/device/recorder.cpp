#include "instrumentation/record/device/recorder.h"

#include "instrumentation/record/device/gpu_recorder.h"

namespace tilereel {
namespace {

Result<Trace> record_with_first_gpu(const RecordRequest& request, RecordProgress* progress) {
    const Result<std::unique_ptr<Gpu>> gpu = open_gpu();
    if (!gpu) return gpu.error();
    return record_with_gpu(request, **gpu, progress);
}

}  // namespace

Result<Trace> record(const RecordRequest& request, RecordProgress* progress,
                     std::string* without_gpu) {
    if (request.recorder == Recorder::kEmulator) return record_with_emulator(request, progress);
    Result<Trace> recorded = record_with_first_gpu(request, progress);
    const bool cancelled = progress != nullptr && progress->cancel.load();
    if (recorded || cancelled || request.recorder == Recorder::kGpu) return recorded;
    if (without_gpu != nullptr) *without_gpu = recorded.error().message;
    return record_with_emulator(request, progress);
}

}  // namespace tilereel

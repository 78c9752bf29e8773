#include "instrumentation/record/device/recorder.h"

#include "instrumentation/record/device/gpu_recorder.h"

namespace tilereel {

Result<Trace> record_on(const OpenGpu& open, const RecordRequest& request, RecordProgress* progress,
                        std::string* without_gpu) {
    if (request.recorder == Recorder::kEmulator) return record_with_emulator(request, progress);
    if (request.removed_barrier != 0) {
        if (without_gpu != nullptr)
            *without_gpu = "a kernel without one of its barriers runs in the emulator";
        return record_with_emulator(request, progress);
    }
    const Result<std::unique_ptr<Gpu>> gpu = open();
    Result<Trace> recorded =
        gpu ? record_with_gpu(request, **gpu, progress) : Result<Trace>(gpu.error());
    const bool cancelled = progress != nullptr && progress->cancel.load();
    if (recorded || cancelled || request.recorder == Recorder::kGpu) return recorded;
    if (without_gpu != nullptr) *without_gpu = recorded.error().message;
    return record_with_emulator(request, progress);
}

Result<Trace> record(const RecordRequest& request, RecordProgress* progress,
                     std::string* without_gpu) {
    return record_on(open_gpu, request, progress, without_gpu);
}

}  // namespace tilereel

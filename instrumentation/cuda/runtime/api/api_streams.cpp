// Streams and events of the CUDA runtime API. Every call is complete when it returns. Each returns
// the error that an earlier launch left, if there is one.
#include <chrono>

#include "cuda_runtime_api.h"
#include "instrumentation/cuda/runtime/api/streams.h"
#include "instrumentation/cuda/runtime/host_timing.h"
#include "instrumentation/cuda/runtime/program_state.h"

using namespace tilereel::runtime;

namespace tilereel::runtime {

void set_time(cudaEvent_t event) {
    const QuietClock quiet;
    event->at = std::chrono::steady_clock::now();
    event->recorded = true;
    event->after_launch = launch_is_pending();
    event->waits = waits_so_far();
}

}  // namespace tilereel::runtime

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    *stream = new CUstream_st{flags, priority};
    return sticky_error();
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (stream == nullptr) return set_error(cudaErrorInvalidResourceHandle);
    delete stream;
    return sticky_error();
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    note_wait();
    return refuse_captured(stream).value_or(sticky_error());
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    note_wait();
    return refuse_captured(stream).value_or(sticky_error());
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    if (event == nullptr) return set_error(cudaErrorInvalidResourceHandle);
    if ((flags & cudaEventWaitExternal) != 0)
        return captured(stream,
                        [&]() -> Work {
                            return EventWork{event, false};
                        })
            .value_or(sticky_error());
    capture_wait(stream, event);
    return sticky_error();
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned) {
    if (const auto refused = refuse_captured(stream)) return *refused;
    callback(stream, sticky_error(), data);
    return sticky_error();
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    *priority = stream == nullptr ? 0 : stream->priority;
    return sticky_error();
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    *flags = stream == nullptr ? 0 : stream->flags;
    return sticky_error();
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    if (const auto done = captured(stream, [&]() -> Work { return HostWork{{function, data}}; }))
        return *done;
    function(data);
    return sticky_error();
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = new CUevent_st;
    return sticky_error();
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (event == nullptr) return set_error(cudaErrorInvalidResourceHandle);
    delete event;
    return sticky_error();
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (event == nullptr) return set_error(cudaErrorInvalidResourceHandle);
    if (!capture_record(stream, event)) set_time(event);
    return sticky_error();
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    if (event == nullptr) return set_error(cudaErrorInvalidResourceHandle);
    if ((flags & cudaEventRecordExternal) != 0)
        if (const auto done = captured(stream, [&]() -> Work { return EventWork{event, true}; }))
            return *done;
    return cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (event != nullptr && event->capture != 0 && captures_running != 0)
        return set_error(cudaErrorCapturedEvent);
    note_wait();
    return sticky_error();
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
    if (start == nullptr || end == nullptr || !start->recorded || !end->recorded)
        return set_error(cudaErrorInvalidResourceHandle);
    if (end->after_launch && end->waits == waits_so_far())
        report_unfinished_event(__builtin_return_address(0));
    *ms = std::chrono::duration<float, std::milli>(end->at - start->at).count();
    return sticky_error();
}
}

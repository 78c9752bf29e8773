// Streams that are captured into graphs. CUDA C++ Programming Guide, "Creating a Graph Using Stream
// Capture".
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "instrumentation/cuda/runtime/api/streams.h"
#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {
namespace {

struct Capture {
    unsigned long long id = 0;
    cudaStream_t origin = nullptr;
    std::unique_ptr<CUgraph_st> graph = std::make_unique<CUgraph_st>();
    bool invalid = false;
    std::map<cudaStream_t, std::vector<cudaGraphNode_t>> last;  // the nodes at each stream's end
};
// Guarded by HostCall.
std::vector<std::unique_ptr<Capture>>& captures() {
    static auto& all = *new std::vector<std::unique_ptr<Capture>>;
    return all;
}
bool is_default(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

Capture* capture_of(cudaStream_t stream) {
    for (const std::unique_ptr<Capture>& each : captures())
        if (each->last.contains(stream)) return each.get();
    return nullptr;
}
// The default stream waits for all streams that do not say otherwise, so its work cannot run while
// one of them is captured.
Capture* capture_that_blocks(cudaStream_t stream) {
    if (!is_default(stream)) return nullptr;
    for (const std::unique_ptr<Capture>& each : captures())
        for (const auto& [captured_stream, nodes] : each->last)
            if (captured_stream > cudaStreamPerThread &&
                (captured_stream->flags & cudaStreamNonBlocking) == 0)
                return each.get();
    return nullptr;
}
// Whether each node of the capture comes before the end of its first stream.
bool is_joined(const Capture& capture) {
    std::set<const CUgraphNode_st*> reached;
    std::vector<CUgraphNode_st*> waiting = capture.last.at(capture.origin);
    while (!waiting.empty()) {
        CUgraphNode_st* const node = waiting.back();
        waiting.pop_back();
        if (reached.insert(node).second)
            waiting.insert(waiting.end(), node->after.begin(), node->after.end());
    }
    return reached.size() == capture.graph->nodes.size();
}

}  // namespace

std::optional<cudaError_t> capture(cudaStream_t stream, Work work) {
    const HostCall call;
    if (Capture* const blocked = capture_that_blocks(stream)) {
        blocked->invalid = true;
        return set_error(cudaErrorStreamCaptureImplicit);
    }
    Capture* const found = capture_of(stream);
    if (found == nullptr) return std::nullopt;
    if (found->invalid) return set_error(cudaErrorStreamCaptureInvalidated);
    std::vector<cudaGraphNode_t>& last = found->last[stream];
    last = {found->graph->add(std::move(work), last)};
    return cudaSuccess;
}

std::optional<cudaError_t> refuse_captured(cudaStream_t stream) {
    if (captures_running == 0) return std::nullopt;
    const HostCall call;
    Capture* const found = capture_of(stream);
    Capture* const blocked = capture_that_blocks(stream);
    if (found == nullptr && blocked == nullptr) return std::nullopt;
    (found != nullptr ? found : blocked)->invalid = true;
    return set_error(found != nullptr ? cudaErrorStreamCaptureUnsupported
                                      : cudaErrorStreamCaptureImplicit);
}

bool capture_record(cudaStream_t stream, cudaEvent_t event) {
    event->capture = 0;
    if (captures_running == 0) return false;
    const HostCall call;
    const Capture* const found = capture_of(stream);
    if (found == nullptr) return false;
    event->capture = found->id;
    event->nodes = found->last.at(stream);
    return true;
}

bool capture_wait(cudaStream_t stream, cudaEvent_t event) {
    if (captures_running == 0 || event->capture == 0) return false;
    const HostCall call;
    for (const std::unique_ptr<Capture>& each : captures()) {
        if (each->id != event->capture) continue;
        std::vector<cudaGraphNode_t>& last = each->last[stream];
        for (const cudaGraphNode_t node : event->nodes)
            if (std::ranges::find(last, node) == last.end()) last.push_back(node);
        return true;
    }
    return false;
}

bool is_captured(cudaStream_t stream) {
    if (captures_running == 0) return false;
    const HostCall call;
    return capture_of(stream) != nullptr || capture_that_blocks(stream) != nullptr;
}
cudaError_t capture_launch(const LaunchText& text, const LaunchShape& shape, bool cooperative,
                           const KernelSignature& signature, void** arguments) {
    const std::optional<cudaError_t> done = capture(
        shape.stream, KernelWork{text, shape, cooperative, signature,
                                 std::make_shared<const KernelArguments>(signature, arguments)});
    return done.value_or(cudaErrorUnknown);
}
cudaError_t capture_call(const LaunchText& text, const LaunchShape& shape, void (*body)(void*),
                         void* data, void (*destroy)(void*)) {
    KernelWork work{text, shape};
    work.body = body;
    work.data = std::shared_ptr<void>(data, destroy);
    return capture(shape.stream, std::move(work)).value_or(cudaErrorUnknown);
}

}  // namespace tilereel::runtime

using namespace tilereel::runtime;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    const HostCall call;
    if (is_default(stream)) return set_error(cudaErrorStreamCaptureUnsupported);
    if (capture_of(stream) != nullptr) return set_error(cudaErrorIllegalState);
    static unsigned long long made = 0;
    auto begun = std::make_unique<Capture>();
    begun->id = ++made;
    begun->origin = stream;
    begun->last[stream] = {};
    captures().push_back(std::move(begun));
    ++captures_running;
    return sticky_error();
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    const HostCall call;
    if (graph == nullptr) return set_error(cudaErrorInvalidValue);
    *graph = nullptr;
    Capture* const found = capture_of(stream);
    if (found == nullptr) return set_error(cudaErrorIllegalState);
    if (found->origin != stream) return set_error(cudaErrorStreamCaptureUnmatched);
    const cudaError_t error = found->invalid       ? cudaErrorStreamCaptureInvalidated
                              : !is_joined(*found) ? cudaErrorStreamCaptureUnjoined
                                                   : cudaSuccess;
    if (error == cudaSuccess) *graph = found->graph.release();
    std::erase_if(captures(), [&](const auto& each) { return each.get() == found; });
    --captures_running;
    return error == cudaSuccess ? sticky_error() : set_error(error);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** nodes, size_t* count) {
    const HostCall call;
    const Capture* const found = capture_of(stream);
    if (status != nullptr)
        *status = found == nullptr ? cudaStreamCaptureStatusNone
                  : found->invalid ? cudaStreamCaptureStatusInvalidated
                                   : cudaStreamCaptureStatusActive;
    if (found == nullptr) return sticky_error();
    if (id != nullptr) *id = found->id;
    if (graph != nullptr) *graph = found->graph.get();
    if (nodes != nullptr) *nodes = found->last.at(stream).data();
    if (count != nullptr) *count = found->last.at(stream).size();
    return sticky_error();
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    static cudaStreamCaptureMode now = cudaStreamCaptureModeGlobal;
    std::swap(now, *mode);
    return sticky_error();
}
}

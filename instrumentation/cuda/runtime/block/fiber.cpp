#include "instrumentation/cuda/runtime/block/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "instrumentation/base/sanitizers.h"

#if TILEREEL_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if TILEREEL_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace tilereel {
namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

// Called after a switch to `self`. Keeps the context that was left, so that it can be resumed.
void arrive(transfer_t transfer, [[maybe_unused]] Flow* self) {
    auto* from = static_cast<Flow*>(transfer.data);
    from->context = transfer.fctx;
#if TILEREEL_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(self != nullptr ? self->fake_stack : nullptr,
                                    &from->stack_bottom, &from->stack_bytes);
#endif
}

thread_local void (*starting_body)() = nullptr;

// Linux since 6.13 can do it without splitting the mapping, which is faster here and when the
// mapping is removed. If mprotect() fails, too, because there are too many mappings, the stack goes
// without its guard.
void make_inaccessible(std::byte* page, std::size_t bytes) {
    constexpr int kGuardInstall = 102;  // MADV_GUARD_INSTALL
    if (madvise(page, bytes, kGuardInstall) != 0)
        static_cast<void>(mprotect(page, bytes, PROT_NONE));
}

void entry(transfer_t transfer) {
    arrive(transfer, nullptr);
    starting_body();
}

}  // namespace

void switch_flow(Flow& from, Flow& to, [[maybe_unused]] bool last) {
#if TILEREEL_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(last ? nullptr : &from.fake_stack, to.stack_bottom,
                                   to.stack_bytes);
#endif
#if TILEREEL_THREAD_SANITIZER
    __tsan_switch_to_fiber(to.thread_sanitizer, 0);
#endif
    arrive(jump_fcontext(to.context, &from), &from);
}

Flow flow_of_this_thread() {
    Flow flow;
#if TILEREEL_THREAD_SANITIZER
    flow.thread_sanitizer = __tsan_get_current_fiber();
#endif
    return flow;
}

Fibers::Fibers(std::size_t count, std::size_t stack_bytes, bool guarded)
    : count_(count), stack_bytes_(stack_bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    pitch_bytes_ = stack_bytes_ + page;
    void* memory = mmap(nullptr, count_ * pitch_bytes_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<std::byte*>(memory);
    flows_ = new Flow[count_];
    for (std::size_t i = 0; i < count_; ++i) {
        if (guarded) make_inaccessible(memory_ + i * pitch_bytes_, page);
#if TILEREEL_THREAD_SANITIZER
        flows_[i].thread_sanitizer = __tsan_create_fiber(0);
#endif
    }
}

Fibers::~Fibers() {
#if TILEREEL_THREAD_SANITIZER
    for (std::size_t i = 0; i < count_; ++i) __tsan_destroy_fiber(flows_[i].thread_sanitizer);
#endif
#if TILEREEL_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(memory_, count_ * pitch_bytes_);
#endif
    delete[] flows_;
    munmap(memory_, count_ * pitch_bytes_);
}

void Fibers::prepare(std::size_t i, void (*body)()) {
    Flow& flow = flows_[i];
    flow.stack_bytes = stack_bytes_ - shift_of(i);
    flow.stack_bottom = top(i) - flow.stack_bytes;
    flow.fake_stack = nullptr;
#if TILEREEL_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(flow.stack_bottom, flow.stack_bytes);
#endif
    flow.context = make_fcontext(top(i), flow.stack_bytes, entry);
    starting_body = body;
}

}  // namespace tilereel

// Hooks for a g++ without headers for plugins. At -O0, -fsanitize=thread puts a call before each
// access and around each function. These calls pass the information that the plugin would give to
// the hooks. Host code has such calls, too; outside of a kernel's threads they do nothing.
#include "instrumentation/plain/runtime/compiler_hooks.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <string_view>

#include "instrumentation/plain/include/tilereel/runtime_calls.h"
#include "instrumentation/plain/runtime/compiler_facts.h"
#include "instrumentation/plain/runtime/memory.h"
#include "instrumentation/plain/runtime/out_of_bounds.h"
#include "instrumentation/plain/runtime/running_kernel.h"
#include "instrumentation/plain/runtime/source_line.h"
#include "instrumentation/plain/runtime/worker.h"

namespace tilereel::plain {
namespace {

// The store or atomic operation that was reported last. The thread's next report finds the stored
// value in memory. A store that is out of bounds is undone then.
struct LastStore {
    Worker* worker = nullptr;  // null: none
    void* address = nullptr;
    bool out_of_bounds = false;
    std::uint32_t saved_bytes = 0;
    std::array<unsigned char, 64> saved{};
};
thread_local LastStore last_store;

// g++ reports the store of a structure copy before its load. The store is recorded after the load.
struct PendingCopyStore {
    CallSite* at = nullptr;  // null: none
    void* address = nullptr;
    std::uint32_t bytes = 0;
    bool is_aligned = false;
};
thread_local PendingCopyStore pending_copy_store;

void finish_store() {
    if (last_store.worker == nullptr || last_store.worker->calls().atomic_target != nullptr) return;
    if (!last_store.out_of_bounds)
        last_store.worker->stored(last_store.address);
    else if (last_store.saved_bytes != 0)
        std::memcpy(last_store.address, last_store.saved.data(), last_store.saved_bytes);
    last_store.worker = nullptr;
    reported_address.reset();
}

[[gnu::constructor]] void install_finish_store() { before_stop = finish_store; }

// Saves the bytes at the address of the store, if there is memory.
void save(LastStore& store, std::uint32_t bytes) {
    const iovec to{store.saved.data(), std::min<std::size_t>(bytes, store.saved.size())};
    const iovec from{store.address, to.iov_len};
    const ssize_t read = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    store.saved_bytes =
        read == static_cast<ssize_t>(to.iov_len) ? static_cast<std::uint32_t>(read) : 0;
}

bool is_known_memory(const Worker& worker, std::uint64_t address) {
    const auto holds = [&](const MemoryArray& array) { return address - array.base < array.bytes; };
    return std::ranges::any_of(worker.shared_arrays(), holds) ||
           DeviceMemory::instance().find(address) != nullptr;
}

bool is_atomic_function(const CallStack& calls) {
    return calls.depth_in_library != 0 && calls.callee != nullptr &&
           std::string_view(calls.callee).starts_with("atomic");
}

struct Recipient {
    Worker* worker;
    Site* site;
};

// The recipient of the report of an access. Its worker is null if the access is not recorded.
Recipient recipient_of(Worker* worker, const void* address, std::uint32_t bytes, SiteKind kind,
                       bool is_aligned, CallSite& at) {
    CompilerFacts& facts = CompilerFacts::instance();
    const CallStack& calls = worker->calls();
    if (calls.depth_in_library == 0) return {worker, facts.site_at(at, kind, bytes, is_aligned)};
    CallSite* const caller = facts.find(calls.caller);
    if (caller == nullptr || !is_known_memory(*worker, reinterpret_cast<std::uint64_t>(address)))
        return {nullptr, nullptr};
    return {worker, facts.site_for(*caller, reinterpret_cast<const void*>(at.address), calls.callee,
                                   kind, bytes, is_aligned)};
}

thread_local Function* running_function = nullptr;  // the kernel

// The name of the parameter through which a thread probably got an address outside of all arrays:
// the pointer with the largest value that is not beyond the address.
const char* likely_parameter(const void* address) {
    const auto at = reinterpret_cast<std::uint64_t>(address);
    const Parameter* best = nullptr;
    for (const Parameter& parameter : running_function->parameters) {
        const bool points = parameter.site.type != nullptr && parameter.site.width_bytes == 8 &&
                            std::string_view(parameter.site.type).ends_with('*');
        if (points && parameter.value <= at && (best == nullptr || parameter.value > best->value))
            best = &parameter;
    }
    return best == nullptr ? nullptr : best->site.name;
}

void* report_access(const Recipient& recipient, void* address, std::uint32_t bytes) {
    void* const target = recipient.site->kind == SiteKind::kLoad
                             ? tilereel_load(address, recipient.site)
                             : tilereel_store_wide(address, recipient.site);
    if (recipient.site->kind == SiteKind::kLoad && target == address) return target;
    last_store.worker = recipient.worker;
    last_store.address = address;
    last_store.out_of_bounds = target != address;
    last_store.saved_bytes = 0;
    if (!last_store.out_of_bounds) return target;
    reported_address = reinterpret_cast<std::uint64_t>(address);
    if (recipient.site->name == nullptr) recipient.site->name = likely_parameter(address);
    if (recipient.site->kind != SiteKind::kLoad) save(last_store, bytes);
    return target;
}

// The worker that receives the report of an access. Null for accesses of host code, of blocks that
// are not recorded, and of a thread's own stack and built-in variables.
Worker* worker_of(const void* address) {
    Worker* const worker = Worker::current();
    if (worker == nullptr || running.idle || !worker->in_thread()) return nullptr;
    finish_store();
    if (!worker->calls().in_kernel) return nullptr;
    const bool is_own = worker->owns_stack(reinterpret_cast<std::uint64_t>(address)) ||
                        is_built_in(address) || CompilerFacts::instance().is_guard(address);
    return is_own ? nullptr : worker;
}

}  // namespace

// g++ does not report the entry of a function whose only accesses are copies of local structures
// to memory. Such a kernel begins with its first copy.
static void begin_unreported_kernel(const void* from) {
    const RunningBlock* const block = block_of_thread();
    const bool kernel_may_begin =
        block == nullptr ? is_probing() : !RunningBlock::current()->calls().in_kernel;
    if (!kernel_may_begin) return;
    const CallSite* const at = CompilerFacts::instance().find(from);
    if (at != nullptr && at->function->is_kernel) note_entry(nullptr, from, nullptr);
}

void* note_access(const void* pointer, std::uint32_t bytes, SiteKind kind, bool is_aligned,
                  const void* from) {
    last_hook_call = reinterpret_cast<std::uint64_t>(from);
    begin_unreported_kernel(from);
    auto* const address = const_cast<void*>(pointer);
    Worker* const worker = worker_of(address);
    // Copied, because a report may suspend the thread, and other lanes of the warp then set the
    // original.
    const PendingCopyStore store = pending_copy_store;
    pending_copy_store.at = nullptr;
    if (worker == nullptr && store.at == nullptr) return address;
    CallSite* const at = CompilerFacts::instance().find(from);
    if (at == nullptr) return address;
    if (at->is_copy && kind == SiteKind::kStore) {
        pending_copy_store = {at, address, bytes, is_aligned};
        return address;
    }
    void* target = address;
    if (worker != nullptr)
        if (const Recipient recipient = recipient_of(worker, address, bytes, kind, is_aligned, *at);
            recipient.worker != nullptr)
            target = report_access(recipient, address, bytes);
    if (store.at == nullptr) return target;
    if (Worker* const storing = worker_of(store.address))
        if (const Recipient recipient = recipient_of(storing, store.address, store.bytes,
                                                     SiteKind::kStore, store.is_aligned, *store.at);
            recipient.worker != nullptr)
            report_access(recipient, store.address, store.bytes);
    return target;
}

void* note_atomic(const volatile void* pointer, std::uint32_t bytes, SiteKind kind,
                  const void* from) {
    auto* const address = const_cast<void*>(pointer);
    if (const RunningBlock* const block = block_of_thread(); block != nullptr)
        if (void* const target = RunningBlock::current()->calls().atomic_target) return target;
    Worker* const worker = worker_of(address);
    if (worker == nullptr) return address;
    // An atomic function of our headers is a loop of compare-and-swap. It is one access.
    const bool in_atomic = is_atomic_function(worker->calls());
    if (worker->calls().depth_in_library != 0 && !in_atomic) return address;
    CallSite* const at = CompilerFacts::instance().find(from);
    if (at == nullptr) return address;
    const Recipient recipient =
        recipient_of(worker, address, bytes, in_atomic ? SiteKind::kAtomic : kind, true, *at);
    void* const target =
        recipient.worker == nullptr ? address : report_access(recipient, address, bytes);
    if (in_atomic) worker->calls().atomic_target = target;
    return target;
}

namespace {

char* thread_pointer() { return static_cast<char*>(__builtin_thread_pointer()); }

void* address_of(const SharedVariable& shared) {
    return shared.variable.space == VariableSpace::kDynamicShared
               ? static_cast<void*>(dynamic_shared())
               : thread_pointer() + shared.thread_offset;
}

void declare_shared(const Function& function) {
    for (const std::unique_ptr<SharedVariable>& shared : function.shared)
        tilereel_shared(address_of(*shared), &shared->variable);
}

// Reports the parameters of a kernel, whose values are in its frame. `frame`: its frame pointer.
void report_parameters(Function& kernel, const char* frame) {
    if (kernel.frame_bytes < 0 || frame == nullptr) return;
    for (Parameter& parameter : kernel.parameters) {
        parameter.value = 0;
        std::memcpy(&parameter.value, frame + kernel.frame_bytes + parameter.offset_bytes,
                    parameter.site.width_bytes);
        tilereel_value_int(&parameter.site, parameter.value, 0);
    }
}

void enter_kernel(Function& kernel, const char* frame) {
    if (RunningBlock* const block = RunningBlock::current();
        block != nullptr && block->in_thread()) {
        last_store.worker = nullptr;
        pending_copy_store.at = nullptr;
        CallStack& calls = block->calls();
        calls = {};
        calls.in_kernel = true;
        if (Worker::current() == nullptr || running.idle) return;
        running_function = &kernel;
        declare_shared(kernel);
        report_parameters(kernel, frame);
        return;
    }
    // The probe before a launch, which finds the kernel and its shared memory (running_kernel.h).
    CompilerFacts::instance().declare_variables();
    declare_shared(kernel);
    tilereel_begin(&kernel.kernel);
}

// Enters a function of our headers or the system's. Its accesses are recorded at the line of its
// caller.
void enter_library(CallStack& calls, RunningBlock& block, const Function& function,
                   const void* caller) {
    if (std::string_view(function.short_name).starts_with("atomic"))
        calls.callee = function.short_name;
    if (calls.depth_in_library++ != 0) return;
    calls.caller = caller;
    calls.callee = function.short_name;
    CompilerFacts& facts = CompilerFacts::instance();
    if (CallSite* const at = facts.find(caller))
        block.set_call_site(facts.site_for(*at, reinterpret_cast<const void*>(function.first),
                                           function.short_name, SiteKind::kCall, 0, true));
}

void leave_library(CallStack& calls, const Function& function) {
    --calls.depth_in_library;
    if (calls.atomic_target == nullptr || calls.callee != function.short_name) return;
    calls.atomic_target = nullptr;
    finish_store();
}

void enter_function(CallStack& calls, const Function& function, const void* caller) {
    CallStack::Frame frame{nullptr, calls.depth_in_library, calls.caller, calls.callee};
    const bool is_recorded = Worker::current() != nullptr && !running.idle;
    CompilerFacts& facts = CompilerFacts::instance();
    if (is_recorded) {
        const void* const from = calls.depth_in_library == 0 ? caller : calls.caller;
        if (CallSite* const at = facts.find(from))
            frame.enter = facts.site_for(*at, reinterpret_cast<const void*>(function.first),
                                         function.short_name, SiteKind::kEnter, 0, true);
    }
    calls.frames.push_back(frame);
    calls.depth_in_library = 0;
    if (!is_recorded) return;
    declare_shared(function);
    if (frame.enter != nullptr) tilereel_enter(frame.enter);
}

void leave_function(CallStack& calls) {
    if (calls.frames.empty()) return;
    const CallStack::Frame frame = calls.frames.back();
    calls.frames.pop_back();
    calls.depth_in_library = frame.depth_in_library;
    calls.caller = frame.caller;
    calls.callee = frame.callee;
    if (frame.enter != nullptr) tilereel_leave(frame.enter);
}

}  // namespace

RunningBlock* block_of_thread() {
    RunningBlock* const block = RunningBlock::current();
    return block != nullptr && block->in_thread() ? block : nullptr;
}

void note_entry(const void* caller, const void* from, const char* frame) {
    const CallSite* const at = CompilerFacts::instance().find(from);
    if (at == nullptr) return;
    Function& function = *at->function;
    if (function.is_kernel) return enter_kernel(function, frame);
    RunningBlock* const block = block_of_thread();
    if (block == nullptr || !block->calls().in_kernel) return;
    finish_store();
    if (function.is_library)
        enter_library(block->calls(), *block, function, caller);
    else
        enter_function(block->calls(), function, caller);
}

void note_exit(const void* from) {
    RunningBlock* const block = block_of_thread();
    if (block == nullptr || !block->calls().in_kernel) return;
    const CallSite* const at = CompilerFacts::instance().find(from);
    if (at == nullptr) return;
    finish_store();
    CallStack& calls = block->calls();
    if (at->function->is_kernel)
        calls.in_kernel = false;
    else if (!at->function->is_library)
        leave_function(calls);
    else if (calls.depth_in_library > 0)
        leave_library(calls, *at->function);
}

void note_call(const void* from, const char* callee) {
    RunningBlock* const block = block_of_thread();
    CompilerFacts& facts = CompilerFacts::instance();
    CallSite* const at = block == nullptr ? nullptr : facts.find(from);
    if (at != nullptr)
        block->set_call_site(facts.site_for(*at, from, callee, SiteKind::kCall, 0, true));
}

}  // namespace tilereel::plain

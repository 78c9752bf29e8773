#include "instrumentation/cuda/runtime/block/stacks.h"

#include <memory>
#include <new>

#include "instrumentation/cuda/runtime/block/ends_of_process.h"
#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {
namespace {

// 512 KiB of local memory, as a thread of a GPU has at most, and what the frames of functions need
// besides.
thread_local std::size_t stack_bytes = std::size_t{640} << 10;
thread_local bool guards = true;

// Of this thread. A pointer, because the program may launch kernels when the objects of the main
// thread have been destroyed: in a destructor of a static object, or at exit.
thread_local Fibers* thread_stacks = nullptr;
struct StacksUntilEnd {
    bool is_used = false;
    ~StacksUntilEnd() {
        // The program ends while one of the stacks is in use: a thread of the kernel calls exit().
        report_exit_in_thread();
        delete thread_stacks;
        thread_stacks = nullptr;
    }
};
thread_local StacksUntilEnd stacks_until_end;

// Smaller stacks where the limit of the address space leaves no room.
std::unique_ptr<Fibers> make_stacks(std::size_t threads) {
    constexpr std::size_t kLeast = std::size_t{32} << 10;
    for (std::size_t bytes = stack_bytes; bytes >= kLeast; bytes /= 2) try {
            return std::make_unique<Fibers>(threads, bytes, guards);
        } catch (const std::bad_alloc&) {
        }
    fail_recorder(
        "there is no memory for the stacks of a block's threads; raise the limit of "
        "memory (ulimit -v)");
}

}  // namespace

void use_small_stacks(bool guarded) {
    stack_bytes = std::size_t{64} << 10;
    guards = guarded;
}

Fibers& stacks_for(std::size_t threads) {
    if (thread_stacks == nullptr || thread_stacks->count() < threads) {
        stacks_until_end.is_used = true;
        delete thread_stacks;
        thread_stacks = nullptr;
        thread_stacks = make_stacks(threads).release();
    }
    return *thread_stacks;
}

}  // namespace tilereel::runtime

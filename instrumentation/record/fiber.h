#pragma once
// Fibers: stacks of their own on one CPU thread, switched by hand. Boost.Context does the switch;
// the sanitizers are told of it.
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

namespace tilereel {

// A suspended flow of control: a fiber's, or that of the thread which runs fibers.
struct Flow {
    boost::context::detail::fcontext_t context = nullptr;
    void* thread_sanitizer = nullptr;  // its fiber handle
    void* fake_stack = nullptr;        // AddressSanitizer's
    const void* stack_bottom = nullptr;
    std::size_t stack_bytes = 0;
};

// Runs `to` until something switches back to `from`. `last`: `from` is never run again.
void switch_flow(Flow& from, Flow& to, bool last = false);

// Stacks with an inaccessible page below each, and a Flow on each. Not movable: flows are pointed
// at.
class Fibers {
  public:
    // At most `count` at a time, each with a stack of so many bytes. Throws std::bad_alloc if the
    // system gives no address space.
    // `guarded`: with the page below each, which takes two of the system's mappings.
    Fibers(std::size_t count, std::size_t stack_bytes, bool guarded);
    ~Fibers();
    Fibers(const Fibers&) = delete;
    Fibers& operator=(const Fibers&) = delete;
    // Makes fiber i start with body() at the next switch to it. body never returns.
    void prepare(std::size_t i, void (*body)());
    [[nodiscard]] Flow& operator[](std::size_t i) { return flows_[i]; }
    [[nodiscard]] std::size_t count() const { return count_; }
    // Whether an address lies on one of the stacks, or in the page below it.
    [[nodiscard]] bool contains(const void* address) const {
        const auto* at = static_cast<const std::byte*>(address);
        return at >= memory_ && at < memory_ + count_ * pitch_bytes_;
    }

  private:
    std::size_t count_;
    std::size_t stack_bytes_;
    std::size_t pitch_bytes_;  // from one stack to the next, guard page included
    std::byte* memory_;
    Flow* flows_;
};

// The Flow of the calling thread itself.
[[nodiscard]] Flow flow_of_this_thread();

}  // namespace tilereel

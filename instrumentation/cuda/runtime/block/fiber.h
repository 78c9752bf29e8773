#pragma once
// Fibers: several stacks on one CPU thread, with explicit switches. Boost.Context switches stacks,
// and the sanitizers are notified.
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

namespace tilereel {

// A suspended flow of control: of a fiber, or of the thread that runs fibers.
struct Flow {
    boost::context::detail::fcontext_t context = nullptr;
    void* thread_sanitizer = nullptr;  // its fiber handle
    void* fake_stack = nullptr;        // AddressSanitizer's
    const void* stack_bottom = nullptr;
    std::size_t stack_bytes = 0;
};

// Runs `to` until something switches back to `from`. `last`: `from` is never run again.
void switch_flow(Flow& from, Flow& to, bool last = false);

// Stacks, and a Flow for each. Not movable, because other objects hold pointers to the flows.
class Fibers {
  public:
    // `count` fibers, each with a stack of `stack_bytes`. `guarded`: with an inaccessible page
    // below each stack, for which older systems need two memory mappings per stack. Throws
    // std::bad_alloc if there is no address space.
    Fibers(std::size_t count, std::size_t stack_bytes, bool guarded);
    ~Fibers();
    Fibers(const Fibers&) = delete;
    Fibers& operator=(const Fibers&) = delete;
    // Makes fiber i start with body() at the next switch to it. body never returns.
    void prepare(std::size_t i, void (*body)());
    // The end of stack i, from which it grows down; aligned to 16 bytes.
    [[nodiscard]] std::byte* top(std::size_t i) const {
        // Tops of stacks differ modulo 4 KiB, so that the fibers' hot lines do not share cache
        // sets.
        return memory_ + (i + 1) * pitch_bytes_ - shift_of(i);
    }
    [[nodiscard]] Flow& operator[](std::size_t i) { return flows_[i]; }
    [[nodiscard]] std::size_t count() const { return count_; }
    // All stacks and the pages below them.
    [[nodiscard]] std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(memory_); }
    [[nodiscard]] std::uint64_t bytes() const { return count_ * pitch_bytes_; }
    // Whether an address lies on one of the stacks, or in the page below it.
    [[nodiscard]] bool contains(const void* address) const {
        return reinterpret_cast<std::uint64_t>(address) - begin() < bytes();
    }

  private:
    [[nodiscard]] static std::size_t shift_of(std::size_t i) { return (i % 32) * 128; }
    std::size_t count_;
    std::size_t stack_bytes_;
    std::size_t pitch_bytes_;  // from one stack to the next, guard page included
    std::byte* memory_;
    Flow* flows_;
};

// The Flow of the calling thread itself.
[[nodiscard]] Flow flow_of_this_thread();

}  // namespace tilereel

// rand(), random() and their kind for host code: the numbers of the C library, which come from its
// random_r(). Its own rand() takes a lock twice in each call, and many programs fill their arrays
// with it.
#include <stdlib.h>

#include <atomic>
#include <cstdint>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define TILEREEL_IS_ALONE __libc_single_threaded
#else
#define TILEREEL_IS_ALONE false
#endif

namespace tilereel::runtime {
namespace {

constexpr std::size_t kStateBytes = 128;  // as the C library begins, with the seed 1

alignas(8) constinit char first_state[kStateBytes] = {};
constinit random_data generator{};
constinit std::atomic_flag busy = ATOMIC_FLAG_INIT;

// Holds the generator. A program with one thread needs no lock.
class Generator {
  public:
    Generator() : alone_(TILEREEL_IS_ALONE) {
        if (!alone_)
            while (busy.test_and_set(std::memory_order_acquire)) busy.wait(true);
        if (generator.state == nullptr) initstate_r(1, first_state, kStateBytes, &generator);
    }
    ~Generator() {
        if (alone_) return;
        busy.clear(std::memory_order_release);
        busy.notify_one();
    }
    Generator(const Generator&) = delete;
    Generator& operator=(const Generator&) = delete;

    // Of all types but 0, a number is the sum of two earlier ones, without its lowest bit.
    std::int32_t next() {
        random_data& g = generator;
        if (g.rand_type == 0) {
            std::int32_t number = 0;
            random_r(&g, &number);
            return number;
        }
        const std::uint32_t sum =
            static_cast<std::uint32_t>(*g.fptr) + static_cast<std::uint32_t>(*g.rptr);
        *g.fptr = static_cast<std::int32_t>(sum);
        if (++g.fptr == g.end_ptr) g.fptr = g.state;
        if (++g.rptr == g.end_ptr) g.rptr = g.state;
        return static_cast<std::int32_t>(sum >> 1);
    }
    void seed(unsigned number) { srandom_r(number, &generator); }
    // The state so far, as initstate() and setstate() return it: it begins with a word before the
    // numbers.
    [[nodiscard]] static char* state() { return reinterpret_cast<char*>(generator.state - 1); }

  private:
    const bool alone_;
};

}  // namespace
}  // namespace tilereel::runtime

using tilereel::runtime::Generator;
using tilereel::runtime::generator;

// Weak, because a program may define one of them itself.
extern "C" {

[[gnu::weak]] int rand() noexcept { return Generator().next(); }
[[gnu::weak]] long random() noexcept { return Generator().next(); }
[[gnu::weak]] void srand(unsigned seed) noexcept { Generator().seed(seed); }
[[gnu::weak]] void srandom(unsigned seed) noexcept { Generator().seed(seed); }
[[gnu::weak]] char* initstate(unsigned seed, char* memory, std::size_t bytes) noexcept {
    const Generator held;
    char* const before = Generator::state();
    return initstate_r(seed, memory, bytes, &generator) == 0 ? before : nullptr;
}
[[gnu::weak]] char* setstate(char* memory) noexcept {
    const Generator held;
    char* const before = Generator::state();
    return setstate_r(memory, &generator) == 0 ? before : nullptr;
}

}  // extern "C"

#pragma once
// Owners of file descriptors, and pairs of them that connect a child process.
#include <array>

namespace tilereel {

class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor();
    explicit operator bool() const { return number_ >= 0; }
    [[nodiscard]] int get() const { return number_; }
    int release() {
        const int number = number_;
        number_ = -1;
        return number;
    }

  private:
    int number_ = -1;
};

// The descriptors have FD_CLOEXEC. They are empty if the process may not open more.
std::array<Descriptor, 2> pipe_pair();    // [0] reads what [1] writes
std::array<Descriptor, 2> socket_pair();  // both directions

}  // namespace tilereel

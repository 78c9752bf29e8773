#pragma once
// Descriptors that close themselves, and the pairs that connect a child process.
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

// Closed in programs that are started. Empty descriptors if the process may open no more. None is
// below 4, so that a child's own 0 to 3 can be made from any of them in any order.
std::array<Descriptor, 2> pipe_pair();    // [0] reads what [1] writes
std::array<Descriptor, 2> socket_pair();  // a stream each way

}  // namespace tilereel

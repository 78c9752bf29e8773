#include "app/export/pipe.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace tilereel {
namespace {

// Replaces a descriptor below 4 by a duplicate with a number of at least 4.
Descriptor above_standard(Descriptor low) {
    constexpr int kFirst = 4;
    if (!low || low.get() >= kFirst) return low;
    return Descriptor(::fcntl(low.get(), F_DUPFD_CLOEXEC, kFirst));
}

std::array<Descriptor, 2> pair_of(Descriptor first, Descriptor second) {
    return {above_standard(std::move(first)), above_standard(std::move(second))};
}

}  // namespace

Descriptor::~Descriptor() {
    if (number_ >= 0) ::close(number_);
}

std::array<Descriptor, 2> pipe_pair() {
    std::array<int, 2> ends = {-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
    return pair_of(Descriptor(ends[0]), Descriptor(ends[1]));
}

std::array<Descriptor, 2> socket_pair() {
    std::array<int, 2> ends = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
    return pair_of(Descriptor(ends[0]), Descriptor(ends[1]));
}

}  // namespace tilereel

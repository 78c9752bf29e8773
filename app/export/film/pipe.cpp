#include "app/export/film/pipe.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tilereel {
Descriptor::~Descriptor() {
    if (number_ >= 0) ::close(number_);
}

std::array<Descriptor, 2> pipe_pair() {
    std::array<int, 2> ends = {-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::array<Descriptor, 2> socket_pair() {
    std::array<int, 2> ends = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace tilereel

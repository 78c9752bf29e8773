#include "instrumentation/trace/file/shared_pieces.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>
#include <utility>

namespace tilereel {

struct SharedPieces::Memory {
    using Count = std::atomic<std::uint32_t>;
    static_assert(Count::is_always_lock_free && sizeof(Count) == sizeof(std::uint32_t));
    alignas(64) Count sent;      // pieces so far, modulo 2^32
    alignas(64) Count released;  // likewise
    alignas(64) std::uint32_t bytes[kPieces];
    alignas(64) std::byte pieces[kPieces][kPieceBytes];
};

namespace {

Error no_memory() {
    if (errno == EFBIG)
        return failed(
            "the limit of file sizes (ulimit -f) is too low to record; raise it to 1 MiB");
    return failed("the system gives no memory to share: " + std::string(std::strerror(errno)));
}

}  // namespace

SharedPieces::Memory* SharedPieces::mapped(int descriptor) {
    void* const memory =
        mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<Memory*>(memory);
}

Result<SharedPieces> SharedPieces::make() {
    const int descriptor = memfd_create("tilereel trace", MFD_CLOEXEC);
    if (descriptor < 0) return no_memory();
    SharedPieces pieces(descriptor, nullptr);
    static_assert(sizeof(Memory) <= std::size_t{1} << 20);  // no_memory() says so
    if (ftruncate(descriptor, sizeof(Memory)) != 0) return no_memory();
    pieces.memory_ = mapped(descriptor);
    if (pieces.memory_ == nullptr) return no_memory();
    return pieces;
}

Result<SharedPieces> SharedPieces::map(int descriptor) {
    struct stat facts {};
    if (fstat(descriptor, &facts) != 0) return no_memory();
    if (facts.st_size != static_cast<off_t>(sizeof(Memory)))
        return failed("the shared memory is of another version of Tilereel; build it again");
    Memory* const memory = mapped(descriptor);
    if (memory == nullptr) return no_memory();
    return SharedPieces(-1, memory);
}

SharedPieces::SharedPieces(SharedPieces&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      memory_(std::exchange(other.memory_, nullptr)) {}

SharedPieces::~SharedPieces() {
    if (memory_ != nullptr) munmap(memory_, sizeof(Memory));
    if (descriptor_ >= 0) close(descriptor_);
}

std::byte* SharedPieces::next() const {
    const std::uint32_t sent = memory_->sent.load(std::memory_order_relaxed);
    for (;;) {
        const std::uint32_t released = memory_->released.load(std::memory_order_acquire);
        if (sent - released < kPieces) return memory_->pieces[sent % kPieces];
        // std::atomic::wait() does not work between processes.
        const timespec most{.tv_sec = 1, .tv_nsec = 0};
        syscall(SYS_futex, &memory_->released, FUTEX_WAIT, released, &most, nullptr, 0);
    }
}

void SharedPieces::send(std::size_t bytes) const {
    const std::uint32_t sent = memory_->sent.load(std::memory_order_relaxed);
    memory_->bytes[sent % kPieces] = static_cast<std::uint32_t>(bytes);
    memory_->sent.store(sent + 1, std::memory_order_release);
}

std::optional<std::span<const std::byte>> SharedPieces::received() const {
    const std::uint32_t released = memory_->released.load(std::memory_order_relaxed);
    if (memory_->sent.load(std::memory_order_acquire) == released) return std::nullopt;
    const std::size_t bytes = memory_->bytes[released % kPieces];
    return std::span<const std::byte>(memory_->pieces[released % kPieces],
                                      std::min(bytes, kPieceBytes));
}

void SharedPieces::release() const {
    memory_->released.fetch_add(1, std::memory_order_release);
    syscall(SYS_futex, &memory_->released, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace tilereel

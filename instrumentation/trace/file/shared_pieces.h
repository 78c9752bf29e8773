#pragma once
// A stream of bytes from one process to another, through memory that both map: a ring of pieces of
// equal size. The same few pages serve for a stream of any length, so that the system need not
// provide and clear pages for it.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "instrumentation/base/result.h"

namespace tilereel {

class SharedPieces {
  public:
    static constexpr std::size_t kPieces = 4;
    static constexpr std::size_t kPieceBytes = std::size_t{128} << 10;  // fits in a core's cache

    // For the receiver: new memory. kFailed if the system provides none.
    static Result<SharedPieces> make();
    // For the sender: the memory that the receiver has made. `descriptor`: its descriptor, which
    // stays open. kFailed if it cannot be mapped.
    static Result<SharedPieces> map(int descriptor);
    SharedPieces(SharedPieces&& other) noexcept;
    SharedPieces& operator=(SharedPieces&&) = delete;
    ~SharedPieces();
    [[nodiscard]] int descriptor() const { return descriptor_; }  // of make(); else -1

    // Sender: the piece to be filled next, kPieceBytes long, aligned to 64 bytes. Waits until the
    // receiver has released it.
    [[nodiscard]] std::byte* next() const;
    // Sender: passes the first `bytes` of next() to the receiver.
    void send(std::size_t bytes) const;
    // Receiver: the oldest piece that was sent and not released; nullopt: there is none.
    [[nodiscard]] std::optional<std::span<const std::byte>> received() const;
    void release() const;

  private:
    struct Memory;
    SharedPieces(int descriptor, Memory* memory) : descriptor_(descriptor), memory_(memory) {}
    static Memory* mapped(int descriptor);
    int descriptor_;
    Memory* memory_;
};

}  // namespace tilereel

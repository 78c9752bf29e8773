#pragma once
// One member of the trace file, deflated by all cores. Its bytes are cut into pieces that are
// deflated independently and concatenated to one deflate stream (RFC 1951: blocks may end on byte
// boundaries, and no piece refers to bytes of another). Private to this folder.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

class DeflatedMember {
  public:
    // `data` must outlive the member. The result does not depend on the number of cores.
    DeflatedMember(std::string header, std::span<const std::byte> data)
        : header_(std::move(header)), data_(data) {}

    // Deflates the data unless this is done already.
    Status pack();
    // Frees the packed bytes; pack() makes them again.
    void drop();
    // Reads the next packed bytes, at most `to.size()`. Returns their number; 0 at the end.
    std::size_t read(std::span<std::byte> to);
    void rewind() { piece_ = at_ = 0; }

    [[nodiscard]] std::uint64_t bytes() const { return header_.size() + data_.size(); }
    [[nodiscard]] std::uint64_t packed_bytes() const;
    [[nodiscard]] std::uint32_t crc() const { return crc_; }  // of the unpacked bytes

  private:
    struct Piece {
        std::vector<std::byte> packed;
        std::uint32_t crc = 0;
        bool failed = false;
    };
    void pack_piece(std::size_t number);

    std::string header_;
    std::span<const std::byte> data_;
    std::vector<Piece> pieces_;
    std::uint32_t crc_ = 0;
    std::size_t piece_ = 0, at_ = 0;  // the position of read()
};

}  // namespace tilereel

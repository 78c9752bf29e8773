#include "instrumentation/trace/file/deflated_member.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <system_error>
#include <thread>

namespace tilereel {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr int kFastDeflate = 1;    // of 1..9
constexpr int kRawDeflate = -15;   // a window of 32 KiB, without zlib's header
constexpr int kDefaultMemory = 8;  // zlib.h: the default memLevel

// Appends the deflated bytes to `out`. Returns false if zlib fails.
bool deflate_all(z_stream& stream, std::span<const std::byte> in, int flush,
                 std::vector<std::byte>& out) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    stream.avail_in = static_cast<uInt>(in.size());
    std::array<std::byte, std::size_t{1} << 15> room;
    for (;;) {
        stream.next_out = reinterpret_cast<Bytef*>(room.data());
        stream.avail_out = static_cast<uInt>(room.size());
        const int result = deflate(&stream, flush);
        out.insert(out.end(), room.begin(), room.end() - stream.avail_out);
        if (result == Z_STREAM_END) return true;
        if (result != Z_OK && result != Z_BUF_ERROR) return false;
        if (stream.avail_out != 0) return flush != Z_FINISH;  // nothing is pending
    }
}

std::uint32_t crc_of(std::uint32_t before, std::span<const std::byte> bytes) {
    if (bytes.empty()) return before;
    return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()),
                                              static_cast<z_size_t>(bytes.size())));
}

}  // namespace

void DeflatedMember::pack_piece(std::size_t number) {
    Piece& piece = pieces_[number];
    const std::size_t begin = number * kPieceBytes;
    const auto data = data_.subspan(begin, std::min(kPieceBytes, data_.size() - begin));
    const bool last = number + 1 == pieces_.size();
    z_stream stream{};
    piece.failed = deflateInit2(&stream, kFastDeflate, Z_DEFLATED, kRawDeflate, kDefaultMemory,
                                Z_DEFAULT_STRATEGY) != Z_OK;
    if (piece.failed) return;
    const auto header = std::as_bytes(std::span(header_));
    try {
        if (number == 0) {
            piece.crc = crc_of(0, header);
            piece.failed = !deflate_all(stream, header, Z_NO_FLUSH, piece.packed);
        }
        piece.crc = crc_of(piece.crc, data);
        if (!piece.failed)
            piece.failed = !deflate_all(stream, data, last ? Z_FINISH : Z_SYNC_FLUSH, piece.packed);
        piece.packed.shrink_to_fit();
    } catch (const std::bad_alloc&) {
        piece.failed = true;
    }
    deflateEnd(&stream);
}

Status DeflatedMember::pack() {
    if (!pieces_.empty()) return Done{};
    pieces_.resize(std::max<std::size_t>(1, (data_.size() + kPieceBytes - 1) / kPieceBytes));
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t number; (number = next.fetch_add(1)) < pieces_.size();) pack_piece(number);
    };
    {
        const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < std::min(cores, pieces_.size()); ++i) {
            try {
                helpers.emplace_back(work);
            } catch (const std::system_error&) {
                break;  // the system gives no more threads: the others do the work
            }
        }
        work();
    }
    if (std::ranges::any_of(pieces_, &Piece::failed))
        return failed(
            "the computer has run out of memory while it compressed the trace; close "
            "other programs and try again");
    crc_ = pieces_.front().crc;
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
        const std::size_t bytes = std::min(kPieceBytes, data_.size() - i * kPieceBytes);
        crc_ = static_cast<std::uint32_t>(
            crc32_combine(crc_, pieces_[i].crc, static_cast<z_off_t>(bytes)));
    }
    rewind();
    return Done{};
}

void DeflatedMember::drop() {
    pieces_.clear();
    rewind();
}

std::uint64_t DeflatedMember::packed_bytes() const {
    std::uint64_t bytes = 0;
    for (const Piece& piece : pieces_) bytes += piece.packed.size();
    return bytes;
}

std::size_t DeflatedMember::read(std::span<std::byte> to) {
    std::size_t done = 0;
    while (done < to.size() && piece_ < pieces_.size()) {
        const std::vector<std::byte>& packed = pieces_[piece_].packed;
        const std::size_t count = std::min(to.size() - done, packed.size() - at_);
        std::memcpy(to.data() + done, packed.data() + at_, count);
        done += count;
        at_ += count;
        if (at_ < packed.size()) continue;
        ++piece_;
        at_ = 0;
    }
    return done;
}

}  // namespace tilereel

#include "instrumentation/record/warp_log.h"

#include <bit>

namespace tilereel {

using dialect::EventKind;
using dialect::kValueWord;
using dialect::words_of;

namespace {

std::size_t words_in_log(EventKey key, std::uint32_t mask) {
    if (dialect::is_barrier(key)) return 0;
    return words_of(key) * static_cast<std::size_t>(std::popcount(mask));
}

}  // namespace

std::uint32_t* WarpLog::add(EventKey key, std::uint32_t mask) {
    std::uint32_t* row = rows_.extend(2 + words_in_log(key, mask));
    row[0] = key;
    row[1] = mask;
    return row + 2;
}

void WarpLogWriter::write(const WarpLog& log, std::uint32_t warp, WarpWriter& writer,
                          Batch& batch) {
    const std::uint32_t* const end = log.rows_.data() + log.rows_.size();
    for (const std::uint32_t* row = log.rows_.data(); row != end;) {
        const EventKey key = row[0];
        const std::uint32_t mask = row[1];
        const SiteId site = batch.site_of_event(key);
        if (dialect::is_barrier(key)) {
            flush(warp, false, writer, batch);
            batch.add_plain(site, 0, mask);
        } else {
            if (keys_.size() + words_of(key) > kRows) flush(warp, false, writer, batch);
            add(key, mask, row + 2, site);
        }
        row += 2 + words_in_log(key, mask);
    }
    flush(warp, true, writer, batch);
}

void WarpLogWriter::add(EventKey key, std::uint32_t mask, const std::uint32_t* words, SiteId site) {
    words_.resize(kRows * kWarpSize);
    for (std::size_t i = 0; i < words_of(key); ++i) {
        std::uint32_t* const row = words_.data() + keys_.size() * kWarpSize;
        for (std::uint32_t left = mask; left != 0; left &= left - 1)
            row[std::countr_zero(left)] = *words++;
        keys_.push_back(i == 0 ? key : kValueWord);
        sites_.push_back(site);
        masks_.push_back(mask);
    }
}

void WarpLogWriter::flush(std::uint32_t warp, bool last, WarpWriter& writer, Batch& batch) {
    writer.write({.keys = keys_, .sites = sites_, .masks = masks_, .words = words_.data()}, warp,
                 last, batch);
    keys_.clear();
    sites_.clear();
    masks_.clear();
}

}  // namespace tilereel

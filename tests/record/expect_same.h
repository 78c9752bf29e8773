#pragma once
// Checks that two recordings of one launch are equal byte by byte.
#include <gtest/gtest.h>

#include <cstring>

#include "instrumentation/trace/trace.h"

namespace tilereel {

template <class T>
[[nodiscard]] bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

inline void expect_same(const Trace& a, const Trace& b) {
    EXPECT_TRUE(same_bytes(a.records.site, b.records.site));
    EXPECT_TRUE(same_bytes(a.records.pattern, b.records.pattern));
    EXPECT_TRUE(same_bytes(a.records.base, b.records.base));
    EXPECT_TRUE(same_bytes(a.segments.block, b.segments.block));
    EXPECT_TRUE(same_bytes(a.segments.epoch, b.segments.epoch));
    EXPECT_TRUE(same_bytes(a.segments.warp, b.segments.warp));
    EXPECT_TRUE(same_bytes(a.segments.record_begin, b.segments.record_begin));
    EXPECT_TRUE(same_bytes(a.segments.value_begin, b.segments.value_begin));
    EXPECT_TRUE(same_bytes(a.words, b.words));
    EXPECT_TRUE(same_bytes(a.c, b.c));
    EXPECT_EQ(a.sites, b.sites);
    EXPECT_EQ(a.patterns, b.patterns);
    EXPECT_EQ(a.irregular_offsets, b.irregular_offsets);
    EXPECT_EQ(a.launch.shared_bytes, b.launch.shared_bytes);
    EXPECT_EQ(a.accumulators, b.accumulators);
    ASSERT_EQ(a.arrays.size(), b.arrays.size());
    for (std::size_t i = 0; i < a.arrays.size(); ++i) EXPECT_EQ(a.arrays[i].name, b.arrays[i].name);
}

}  // namespace tilereel

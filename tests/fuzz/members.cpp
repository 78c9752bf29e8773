#include "tests/fuzz/members.h"

#include <zip.h>

#include <algorithm>
#include <array>
#include <set>

namespace tilereel::fuzz {
namespace {

// The last entry stands for any other name.
constexpr std::array kMembers = std::to_array<std::string_view>({"meta.npy",
                                                                 "source.npy",
                                                                 "sites_line.npy",
                                                                 "sites_array.npy",
                                                                 "sites_operation.npy",
                                                                 "sites_width_bytes.npy",
                                                                 "patterns_mask.npy",
                                                                 "patterns_delta_bytes.npy",
                                                                 "patterns_irregular.npy",
                                                                 "irregular_offsets.npy",
                                                                 "segments_block.npy",
                                                                 "segments_epoch.npy",
                                                                 "segments_warp.npy",
                                                                 "segments_record_begin.npy",
                                                                 "segments_value_begin.npy",
                                                                 "records_site.npy",
                                                                 "records_pattern.npy",
                                                                 "records_base.npy",
                                                                 "records_clock.npy",
                                                                 "blocks_multiprocessor.npy",
                                                                 "words.npy",
                                                                 "sites_variety.npy",
                                                                 "sites_column.npy",
                                                                 "sites_file.npy",
                                                                 "sites_local.npy",
                                                                 "source_1.npy",
                                                                 "chosen_blocks.npy",
                                                                 "output.npy",
                                                                 "array_0_first.npy",
                                                                 "array_0_last.npy",
                                                                 "array_1_first.npy",
                                                                 "array_1_last.npy",
                                                                 "array_2_first.npy",
                                                                 "array_2_last.npy",
                                                                 "array_3_first.npy",
                                                                 "array_3_last.npy",
                                                                 "array_4_first.npy",
                                                                 "array_4_last.npy",
                                                                 "array_5_first.npy",
                                                                 "array_5_last.npy",
                                                                 "digest.npy",
                                                                 "unknown.npy"});

}  // namespace

std::vector<Member> members_of(std::span<const std::uint8_t> input) {
    constexpr std::size_t kHead = 5;
    std::vector<Member> members;
    while (input.size() >= kHead) {
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i) length |= std::size_t{input[1 + i]} << 8 * i;
        const std::string_view name = kMembers[input[0] % kMembers.size()];
        input = input.subspan(kHead);
        const auto bytes = input.first(std::min(length, input.size()));
        members.push_back({std::string(name), {bytes.begin(), bytes.end()}});
        input = input.subspan(bytes.size());
    }
    return members;
}

std::vector<std::uint8_t> bytes_of(const std::vector<Member>& members) {
    std::vector<std::uint8_t> bytes;
    for (const Member& member : members) {
        const auto at = std::ranges::find(kMembers, member.name);
        bytes.push_back(static_cast<std::uint8_t>(
            std::min<std::ptrdiff_t>(at - kMembers.begin(), kMembers.size() - 1)));
        for (std::size_t i = 0; i < 4; ++i)
            bytes.push_back(static_cast<std::uint8_t>(member.bytes.size() >> 8 * i));
        bytes.insert(bytes.end(), member.bytes.begin(), member.bytes.end());
    }
    return bytes;
}

std::vector<std::uint8_t> zip_of(const std::vector<Member>& members) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(nullptr, 0, 0, &error);
    zip_source_keep(source);
    zip_t* archive = zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error);
    std::set<std::string> added;
    for (const Member& member : members) {
        if (!added.insert(member.name).second) continue;
        zip_source_t* bytes =
            zip_source_buffer(archive, member.bytes.data(), member.bytes.size(), 0);
        const zip_int64_t index = zip_file_add(archive, member.name.c_str(), bytes, 0);
        if (index < 0)
            zip_source_free(bytes);
        else
            zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    }
    std::vector<std::uint8_t> zip;
    if (zip_close(archive) != 0) {
        zip_discard(archive);
    } else if (zip_source_open(source) == 0) {
        zip_source_seek(source, 0, SEEK_END);
        zip.resize(static_cast<std::size_t>(std::max<zip_int64_t>(0, zip_source_tell(source))));
        zip_source_seek(source, 0, SEEK_SET);
        zip_source_read(source, zip.data(), zip.size());
        zip_source_close(source);
    }
    zip_source_free(source);
    zip_error_fini(&error);
    return zip;
}

std::vector<Member> members_of_file(const std::string& path) {
    std::vector<Member> members;
    zip_t* archive = zip_open(path.c_str(), ZIP_RDONLY, nullptr);
    if (archive == nullptr) return members;
    const zip_int64_t entries = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < entries; ++i) {
        const auto index = static_cast<zip_uint64_t>(i);
        zip_stat_t stat;
        zip_file_t* file = zip_fopen_index(archive, index, 0);
        if (file == nullptr || zip_stat_index(archive, index, 0, &stat) != 0) continue;
        Member member{stat.name, std::vector<std::uint8_t>(stat.size)};
        zip_fread(file, member.bytes.data(), stat.size);
        zip_fclose(file);
        members.push_back(std::move(member));
    }
    zip_discard(archive);
    return members;
}

}  // namespace tilereel::fuzz

#include "instrumentation/gpu/ptx/module/ptx_places.h"

#include <algorithm>
#include <filesystem>

#include "instrumentation/gpu/ptx/module/ptx_instruction.h"

namespace tilereel::gpu {

PtxPlaces::PtxPlaces(const std::vector<PtxStatement>& statements,
                     const std::vector<std::string>& libraries) {
    for (const PtxStatement& statement : statements) {
        if (statement.kind != PtxKind::kFile || statement.tokens.size() < 3) continue;
        const std::string_view quoted = statement.tokens[2];
        const std::filesystem::path path(quoted.substr(1, quoted.size() - 2));
        const std::string name = path.lexically_normal().string();
        number_of_file_[std::string(statement.tokens[1])] =
            static_cast<std::uint32_t>(files_.size());
        files_.push_back(name);
        library_.push_back(std::ranges::any_of(
            libraries, [&](const std::string& folder) { return name.starts_with(folder); }));
    }
}

void PtxPlaces::begin_function() { place_ = {}; }

std::uint32_t PtxPlaces::file_of(std::string_view number) const {
    const auto found = number_of_file_.find(number);
    return found == number_of_file_.end() ? 0 : found->second;
}

// .loc FILE LINE COLUMN [, function_name LABEL [+ NUMBER], inlined_at FILE LINE COLUMN]
PtxPlaces::Read PtxPlaces::read(const PtxStatement& location) const {
    const auto& tokens = location.tokens;
    const auto place_at = [&](std::size_t i) {
        return Place{file_of(tokens[i]), ptx_number(tokens[i + 1]), ptx_number(tokens[i + 2])};
    };
    Read read;
    if (tokens.size() < 4) return read;
    read.place = place_at(1);
    const auto inlined = std::ranges::find(tokens, "inlined_at");
    if (tokens.end() - inlined > 3)
        read.inlined_at = place_at(static_cast<std::size_t>(inlined - tokens.begin()) + 1);
    return read;
}

void PtxPlaces::pass(const PtxStatement& location) {
    const Read now = read(location);
    if (std::get<1>(now.place) == 0) return;  // no line: the previous place stays
    inlined_[now.place] = now.inlined_at;
    place_ = now.place;
}

PtxPlace PtxPlaces::place() const {
    Place place = place_;
    // From a header outwards to its callers. The limit ends a cycle, which only faulty .locs have.
    for (int depth = 0; library_[std::get<0>(place)] && depth < 64; ++depth) {
        const auto found = inlined_.find(place);
        if (found == inlined_.end() || !found->second) break;
        place = *found->second;
    }
    const auto [file, line, column] = place;
    return {.file = file, .line = line, .column = column, .in_library = library_[file]};
}

}  // namespace tilereel::gpu

// The part of the step sentence about one request: what it accesses, what it costs, and why.
#include <algorithm>
#include <array>

#include "app/replay/sentence/sentence_writer.h"
#include "instrumentation/analysis/cost/word_service.h"
#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {

void SentenceWriter::write_verb() {
    switch (facts_.verb) {
        case Verb::kLoads:
            return plain(facts_.asynchronous ? "starts to copy " : "loads ");
        case Verb::kReads:
            return plain("reads ");
        default:
            if (facts_.asynchronous) return plain("waits for the copy into ");
            return plain(facts_.sums ? "stores its sums in " : "stores ");
    }
}

void SentenceWriter::write_place() {
    const CellRect& cells = facts_.cells;
    const std::uint32_t above =
        facts_.in_one_plane ? facts_.plane * trace_.arrays[facts_.array].rows_of_plane() : 0;
    // Of scattered elements only the bounds are said: "3 elements in rows 2 to 9, columns 1 to 30".
    const bool scattered = facts_.elements != facts_.rows_touched * facts_.columns_touched;
    const auto range = [&](std::string_view one, std::uint32_t begin, std::uint32_t end,
                           std::uint32_t count) {
        return part_of_range(one, begin, end, scattered ? end - begin : count);
    };
    const std::string rows =
        range("row", cells.row0 - above, cells.row1 - above, facts_.rows_touched);
    const std::string columns =
        range("column", cells.column0, cells.column1, facts_.columns_touched);
    if (facts_.elements == 1) {
        if (facts_.verb == Verb::kReads && facts_.lanes > 1) return touched_array();
        return write_element();
    }
    if (!facts_.member.empty()) plain("member ", facts_.member, " of ");
    if (trace_.arrays[facts_.array].one_extent) return write_place_in_one_extent();
    const std::uint64_t area =
        std::uint64_t{cells.row1 - cells.row0} * (cells.column1 - cells.column0);
    if (facts_.whole_array)
        plain(facts_.member.empty() ? "all of " : "all elements of ");
    else if (facts_.copies && facts_.whole_tile)
        plain("its tile of ");
    else if (facts_.elements < area)
        plain(with_commas(facts_.elements), " elements in ", rows, ", ", columns, " of ");
    else if (facts_.whole_rows)
        plain(rows, " of ");
    else if (facts_.whole_columns)
        plain(columns, " of ");
    else if (cells.column1 - cells.column0 == 1)
        plain(columns, ", ", rows, " of ");
    else
        plain(rows, ", ", columns, " of ");
    touched_array();
}

void SentenceWriter::write_element() {
    add(tones_[facts_.array],
        element_name(trace_.arrays[facts_.array], facts_.cells.row0, facts_.cells.column0) +
            (facts_.member.empty() ? "" : "." + facts_.member));
}

void SentenceWriter::write_global() {
    const std::string moved = counted(facts_.transactions, facts_.unit, facts_.units);
    const bool load = facts_.verb == Verb::kLoads;
    const std::string asks = load ? (facts_.lanes == 1 ? " asks for " : " ask for ")
                                  : (facts_.lanes == 1 ? " writes " : " write ");
    if (facts_.words < words_asked()) {
        const bool same = facts_.elements == 1 && facts_.lanes > 1;
        plain(": ", (same ? all_lanes() : lanes()), asks);
        strong(same ? "the same element"
                    : counted(facts_.elements, "different element", "different elements"));
        plain(", so ");
        strong(moved);
        if (facts_.bytes_moved % std::max(facts_.transactions, 1u) == 0)
            plain(" of ", with_commas(facts_.bytes_moved / std::max(facts_.transactions, 1u)),
                  " bytes");
        plain(facts_.transactions == 1 ? " serves" : " serve", " them all");
        return;
    }
    plain(": ", lanes(), asks);
    strong(counted(facts_.bytes_requested, "byte", "bytes"));
    if (!trace_.arrays[facts_.array].one_extent)
        plain(" in ", counted(facts_.rows_touched, "row", "rows"),
              load && trace_.product ? " of the matrix" : "");
    plain(", so ", moved, (facts_.transactions == 1 ? " moves " : " move "));
    strong(counted(facts_.bytes_moved, "byte", "bytes"));
    write_unused();
}

// Writes when a copied value may be read, and by which warps.
void SentenceWriter::write_copy() {
    if (facts_.box && facts_.verb == Verb::kStores)
        return plain("; once all of it is there, warps that wait for its phase may read it");
    if (facts_.verb == Verb::kStores)
        return plain("; it has arrived, and the other ",
                     trace_.launch.block.count() > kWarpSize ? "warps" : "lanes",
                     " may read it after the next barrier");
    plain("; the values are on their way to ");
    add(tones_[facts_.copied_to.array],
        plane_name(trace_.arrays[facts_.copied_to.array], facts_.copied_to.plane));
    plain(facts_.box ? ", where nobody may read them before a wait for their phase"
                     : ", where nobody may read them before a wait for the copies");
}

void SentenceWriter::write_unused() {
    if (facts_.bytes_touched >= facts_.bytes_moved) return plain(" and all of them are used");
    const std::uint32_t unused = facts_.bytes_moved - facts_.bytes_touched;
    const std::string share = fraction_text(unused, facts_.bytes_moved);
    plain(" and ", (share.empty() ? with_commas(unused) : share), " of them go unused");
}

void SentenceWriter::write_global_briefly() {
    plain(", ");
    strong(counted(facts_.bytes_requested, "byte", "bytes"));
    plain(" in ", counted(facts_.transactions, facts_.unit, facts_.units));
}

void SentenceWriter::write_shared() {
    const bool read = facts_.verb == Verb::kReads;
    if (facts_.asynchronous && facts_.width_bytes == 16) {
        plain(": ", lanes_with_width(), " in ");
        return strong(wavefronts(facts_.wavefronts));
    }
    if (facts_.width_bytes > 4 && facts_.groups > 0) return write_wide();
    if (conflicted()) return write_conflict();
    if (read && facts_.words == 1 && facts_.lanes > 1) {
        plain(": ", all_lanes(), " read the same word ");
        write_element();
        plain(", so ");
        strong(facts_.wavefronts == 1 ? "one wavefront" : wavefronts(facts_.wavefronts));
        return plain(facts_.wavefronts == 1 ? " serves them all" : " serve them all");
    }
    plain(": ", lanes_with_width());
    if (!read && facts_.words == words_asked()) {
        plain(" to ", counted(facts_.banks, "bank", "banks"), " in ");
        strong(wavefronts(facts_.wavefronts));
        return;
    }
    plain(std::string(read ? " read" : " write"), (facts_.lanes == 1 ? "s " : " "),
          different_words());
    const std::string banks = counted(facts_.banks, "bank", "banks");
    if (facts_.words == words_asked()) {
        plain((read ? " from " : " to "), banks, " in ");
        strong(wavefronts(facts_.wavefronts));
        return;
    }
    plain(" in ", banks, ", so ");
    strong(facts_.wavefronts == 1 ? "one wavefront" : wavefronts(facts_.wavefronts));
    plain(facts_.wavefronts == 1 ? " serves them all" : " serve them all");
}

std::string SentenceWriter::groups() const {
    constexpr std::array<const char*, 5> kCounts = {"no", "one", "two", "three", "four"};
    const bool by_word = facts_.groups * facts_.lanes_together > kWarpSize;  // a pass for each word
    const std::string name =
        by_word ? "round" : name_of_group(facts_.operation, facts_.lanes_together);
    if (facts_.groups >= kCounts.size())
        return joined({with_commas(facts_.groups), " ", name, "s"});
    return joined({kCounts[facts_.groups], " ", name, facts_.groups == 1 ? "" : "s"});
}

void SentenceWriter::write_wide() {
    plain(": ", lanes(), facts_.verb == Verb::kReads ? " read" : " write",
          facts_.lanes == 1 ? "s " : " ", counted(facts_.width_bytes, "byte", "bytes"),
          facts_.lanes == 1 ? ", " : " each, ");
    if (conflicted()) {
        write_conflicting_words();
        plain(", so ", groups(), facts_.groups == 1 ? " takes " : " take ");
        strong(wavefronts(facts_.wavefronts));
        plain(" instead of ");
        return strong(with_commas(facts_.ideal_wavefronts));
    }
    if (facts_.words < words_asked()) plain(different_words(), ": ");
    if (facts_.wavefronts > facts_.groups) {  // an asynchronous copy of 8 bytes: copy_cost.h
        plain("two half-warps, ");
        strong("one wavefront each");
        return plain(", no conflict");
    }
    if (facts_.merged)
        plain("neighbours share addresses, so ",
              facts_.lanes_together == kWarpSize ? "the whole warp" : groups());
    else
        plain(groups());
    plain(", ");
    strong(joined({"one wavefront", facts_.groups == 1 ? "" : " each"}));
    plain(", no conflict");
}

void SentenceWriter::write_conflicting_words() {
    const std::string words = different_words();
    const std::string bank = joined({"bank ", std::to_string(facts_.worst_bank)});
    if (facts_.one_broadcast) {
        plain(words, " and ");
        return add(Tone::kConflict, "only one at a time is broadcast");
    }
    if (facts_.words == facts_.worst_words)
        return add(Tone::kConflict, joined({words, " of ", bank}));
    plain(words, ", ");
    add(Tone::kConflict, joined({with_commas(facts_.worst_words), " of them in ", bank}));
}

void SentenceWriter::write_conflict() {
    plain(": ", lanes_with_width(), (facts_.lanes == 1 ? " wants " : " want "));
    write_conflicting_words();
    plain(facts_.verb == Verb::kReads ? ", so the read takes " : ", so the store takes ");
    strong(wavefronts(facts_.wavefronts));
    plain(" instead of ");
    strong(with_commas(facts_.ideal_wavefronts));
}

void SentenceWriter::write_unloaded() {
    const UnloadedFacts& unloaded = facts_.unloaded;
    if (unloaded.lanes.empty() || !unloaded.same_value) return;
    const bool all = unloaded.lanes.size() == facts_.lanes && facts_.lanes > 1;
    plain("; ");
    strong(all ? std::string(facts_.lanes == 2 ? "both" : "all") : lanes_listed(unloaded.lanes));
    plain(unloaded.lanes.size() == 1 ? " stores " : " store ");
    strong(decimal_text(unloaded.value));
    if (unloaded.beyond == kNoArray) return plain(" without having loaded it");
    plain(": beyond the edge of ");
    array_name(unloaded.beyond);
}

void SentenceWriter::write_shared_briefly() {
    if (conflicted()) {
        plain(": ");
        add(Tone::kConflict, facts_.one_broadcast
                                 ? "only one word at a time is broadcast"
                                 : joined({counted(facts_.worst_words, "word", "words"),
                                           " of bank ", std::to_string(facts_.worst_bank)}));
        plain(", in ");
        strong(wavefronts(facts_.wavefronts));
        plain(" instead of ");
        return strong(with_commas(facts_.ideal_wavefronts));
    }
    plain(", ");
    if (facts_.verb == Verb::kReads && facts_.words == 1 && facts_.lanes > 1) {
        plain("the same word ");
        write_element();
        plain(" for ", all_lanes());
    } else if (facts_.verb == Verb::kStores) {
        plain(lanes_with_width(), " to ", counted(facts_.banks, "bank", "banks"));
    } else {
        plain(different_words(), " for ", lanes_with_width());
    }
    plain(" in ");
    strong(wavefronts(facts_.wavefronts));
}

}  // namespace tilereel

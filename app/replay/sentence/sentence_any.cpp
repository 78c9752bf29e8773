// The parts of the step sentence that only programs other than the ladder's products need.
#include "app/replay/sentence/sentence_writer.h"

namespace tilereel {

void SentenceWriter::write_place_in_one_extent() {
    const CellRect& cells = facts_.cells;
    const std::string elements = range_of("element", cells.column0, cells.column1);
    if (facts_.member.empty() && facts_.elements == trace_.arrays[facts_.array].columns)
        plain("all of ");
    else if (facts_.elements < cells.column1 - cells.column0)
        plain(with_commas(facts_.elements), " of ", elements, " of ");
    else
        plain(elements, " of ");
    touched_array();
}

void SentenceWriter::write_atomic() {
    plain("changes ");
    write_place();
    plain(" by ");
    strong(std::string(function_name(facts_.atomic)) + "()");
    if (facts_.collisions == 0) {
        plain(": ", lanes(),
              facts_.lanes == 1 ? " has its own address" : " each have their own address");
        if (facts_.wavefronts <= facts_.ideal_wavefronts || facts_.worst_words < 2) return;
        plain(", ", with_commas(facts_.worst_words), " of them in bank ",
              std::to_string(facts_.worst_bank), ", so they take ");
        return add(Tone::kConflict, counted(facts_.wavefronts, "wavefront", "wavefronts"));
    }
    plain(": ", lanes(), " want ", counted(facts_.elements, "address", "addresses"), ", so ");
    add(Tone::kConflict, counted(facts_.collisions, "lane waits", "lanes wait"));
    plain(" until another lane is done at the same address");
}

// CUDA C++ Programming Guide, "Constant Memory".
void SentenceWriter::write_fetch() {
    plain("reads ");
    write_place();
    plain(" from constant memory: ");
    if (facts_.wavefronts <= 1) {
        plain(all_lanes(), facts_.lanes == 1 ? " asks for " : " ask for ");
        strong("the same address");
        return plain(", so one read serves ", facts_.lanes == 1 ? "it" : "them all");
    }
    plain(lanes(), " ask for ");
    strong(counted(facts_.wavefronts, "different address", "different addresses"));
    plain(", which are read one after another");
}

}  // namespace tilereel

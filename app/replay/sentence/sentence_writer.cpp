// Writes the step sentence, what happens and why, from StepFacts alone.
#include "app/replay/sentence/sentence_writer.h"

#include "instrumentation/trace/stopped_warps.h"

namespace tilereel {

Sentence SentenceWriter::write() {
    if (facts_.verb == Verb::kNothing) return write_nothing(), std::move(sentence_);
    if (facts_.verb == Verb::kNotBegun) {
        plain("Block ", block_name(), " has not begun.");
        return std::move(sentence_);
    }
    if (facts_.verb == Verb::kEnded) return write_end(), std::move(sentence_);
    const bool others_wait = !facts_.waiting.warps.empty();
    if (others_wait) {
        write_waiting();
        plain("; ");
        strong(joined({"warp ", std::to_string(facts_.warp)}));
        plain(" still ");
    } else {
        plain("Warp ", std::to_string(facts_.warp), " ");
    }
    if (facts_.verb == Verb::kChanges || facts_.verb == Verb::kFetches) {
        facts_.verb == Verb::kChanges ? write_atomic() : write_fetch();
        write_off_lanes();
        plain(".");
        return std::move(sentence_);
    }
    if (facts_.product_read) {
        write_product_read();
        plain(".");
        return std::move(sentence_);
    }
    if (is_matrix_access(facts_.operation)) {
        write_matrices();
        write_products();
        plain(".");
        return std::move(sentence_);
    }
    write_verb();
    write_place();
    if (on_shared())
        others_wait ? write_shared_briefly() : write_shared();
    else
        others_wait ? write_global_briefly() : write_global();
    write_off_lanes();
    write_unloaded();
    if (facts_.asynchronous) write_copy();
    write_products();
    plain(".");
    return std::move(sentence_);
}

void SentenceWriter::write_nothing() {
    if (!facts_.chosen)
        return plain("Block ", block_name(), " was not recorded: choose another block.");
    if (facts_.complete) return plain("Block ", block_name(), " made no access to memory.");
    plain("The recording was cut off before the first access of block ", block_name(), ".");
}

void SentenceWriter::write_end() {
    const std::string phases =
        facts_.phases == 0 ? "" : counted(facts_.phases, "phase", "phases") + " and ";
    const std::string ticks = counted(facts_.ticks, "tick", "ticks");
    if (!facts_.complete) {
        plain("The recording was cut off here: block ", block_name(), " is shown for ", phases,
              ticks, ".");
        if (const std::string stops = stops_text(trace_, facts_.block); !stops.empty())
            plain(" ", capitalised(stops), ".");
        return;
    }
    plain("Block ", block_name(), " is done after ", phases, ticks);
    if (!trace_.product) return plain(".");
    if (facts_.c_elements == 0) return plain("; it stored nothing in C.");
    plain(": ");
    strong(counted(facts_.c_elements, "element", "elements"));
    plain(" of ");
    array_name(trace_.product->c);
    plain(facts_.c_elements == 1 ? " is stored." : " are stored.");
}

void SentenceWriter::write_waiting() {
    const WaitingFacts& waiting = facts_.waiting;
    const bool one = waiting.warps.size() == 1;
    strong(capitalised(warps_listed(waiting.warps)));
    const std::string have = one ? " has " : " have ", its = one ? "its " : "their ";
    const std::string and_waits = one ? " and waits" : " and wait";
    if (waiting.multiplied && !waiting.stored.empty()) {
        plain(have, "done ", its, "share of this phase", and_waits);
    } else if (waiting.multiplied) {
        plain(have, "done ", its, "multiply-adds", and_waits);
    } else if (!waiting.stored.empty()) {
        plain(have, "stored ", (one ? stored_share() : "their parts"), " of ");
        write_tiles();
        plain(and_waits);
    } else {
        plain(one ? " waits" : " wait");
    }
    plain(" at the barrier");
}

std::string SentenceWriter::stored_share() const {
    const WaitingFacts& waiting = facts_.waiting;
    if (waiting.share_numerator == 1 && waiting.share_denominator == 1) return "all";
    const std::string part =
        waiting.share_numerator == 1 ? one_part_of(waiting.share_denominator) : "";
    return joined({"its ", part.empty() ? "part" : part});
}

void SentenceWriter::write_tiles() {
    const std::vector<SharedTile>& stored = facts_.waiting.stored;
    if (stored.size() == 1)
        return add(tones_[stored.front().array],
                   plane_name(trace_.arrays[stored.front().array], stored.front().plane));
    if (stored.size() == 2) return plain("both tiles");
    plain("all ", with_commas(stored.size()), " tiles");
}

Sentence sentence_of(const StepFacts& facts, const Trace& trace, std::span<const Tone> tones) {
    return SentenceWriter(facts, trace, tones).write();
}

}  // namespace tilereel

// The part of the step sentence about matrix loads and stores, and about products.
#include "app/replay/sentence/sentence_writer.h"

namespace tilereel {

void SentenceWriter::write_matrices() {
    constexpr std::array<const char*, 5> kCounts = {"no", "one", "two", "three", "four"};
    const bool loads = facts_.operation == Operation::kMatrixLoad;
    const std::uint32_t matrices = std::min(facts_.lanes / 8, 4u);
    const char* const four = kCounts[matrices];
    const char* const rows = matrices == 1 ? "Its" : "Their";
    plain(loads ? "loads " : "stores ", four, matrices == 1 ? " matrix of " : " matrices of ");
    touched_array();
    const std::uint32_t bytes = trace_.arrays[facts_.array].element_bytes;
    const std::string registers = counted(matrices, "register", "registers");
    const std::string elements =
        bytes == 1 || bytes == 2 || bytes == 4
            ? counted(4 * matrices / bytes, "element", "elements") + " in " + registers
            : registers;
    plain(loads ? ": ldmatrix gives each lane " : ": stmatrix takes from each lane ", elements,
          ". ");
    if (facts_.plain_wavefronts) {
        const bool swizzled = facts_.placement == RowPlacement::kSwizzled;
        plain(swizzled ? "Swizzled rows take " : "Padded rows take ");
        strong(wavefronts(facts_.wavefronts));
        plain(swizzled ? ", plain ones would take " : ", without padding they would take ");
        const bool worse = *facts_.plain_wavefronts > facts_.wavefronts;
        return add(worse ? Tone::kConflict : Tone::kStrong, with_commas(*facts_.plain_wavefronts));
    }
    plain(rows, " rows take ");
    strong(wavefronts(facts_.wavefronts));
    if (!conflicted()) return plain(", no conflict");
    plain(" instead of ");
    strong(with_commas(facts_.ideal_wavefronts));
    plain(": rows of a matrix ");
    add(Tone::kConflict, "lie in the same banks");
}

// "multiplies: wgmma itself reads the warp's 16 rows of As[0], 32 pieces of 16 bytes in 4
// wavefronts (modelled)".
void SentenceWriter::write_product_read() {
    const ProductReadFacts& read = *facts_.product_read;
    plain("multiplies: wgmma itself reads ");
    if (read.of_a)
        plain("the warp's ", counted(static_cast<std::uint64_t>(read.rows / 4), "row", "rows"),
              " of ");
    else
        plain("its part of the ", std::to_string(read.rows), " \xc3\x97 ",
              std::to_string(read.columns), " elements in ");
    touched_array();
    plain(read.of_a ? "" : " for all four warps", ", ", counted(facts_.lanes, "piece", "pieces"),
          " of 16 bytes in ");
    strong(wavefronts(facts_.wavefronts));
    plain(" (modelled)");
    if (!read.is_last) return;
    if (read.wait_line == 0) return plain("; no line waits for its sums");
    plain("; its sums may be read after the wait in line ", std::to_string(read.wait_line));
}

void SentenceWriter::write_products() {
    if (facts_.products == 0) return;
    plain("; ");
    strong(counted(facts_.products, "matrix product", "matrix products"));
    plain(facts_.products == 1 ? " follows" : " follow");
}

}  // namespace tilereel

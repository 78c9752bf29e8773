#include "app/lesson/glossary.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace tilereel {
namespace {

struct TextWord {
    std::size_t begin = 0, end = 0;
    std::string small;  // in small letters
};

std::vector<TextWord> words_of(std::string_view text) {
    std::vector<TextWord> words;
    for (std::size_t at = 0; at < text.size();) {
        const auto is_letter = [&](std::size_t i) {
            return std::isalpha(static_cast<unsigned char>(text[i])) != 0;
        };
        if (!is_letter(at)) {
            ++at;
            continue;
        }
        TextWord word{at, at, {}};
        for (; word.end < text.size() && is_letter(word.end); ++word.end)
            word.small +=
                static_cast<char>(std::tolower(static_cast<unsigned char>(text[word.end])));
        at = word.end;
        words.push_back(std::move(word));
    }
    return words;
}

bool is_singular_or_plural(const std::string& word, std::string_view singular) {
    return word.starts_with(singular) &&
           (word.size() == singular.size() || word.substr(singular.size()) == "s" ||
            word.substr(singular.size()) == "es");
}

// How many words of the text from `at` on name the term; 0: they do not.
std::size_t words_of_term(std::string_view text, const std::vector<TextWord>& words, std::size_t at,
                          const Term& term) {
    const std::vector<TextWord> name = words_of(term.name);
    if (at + name.size() > words.size()) return 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const TextWord& word = words[at + i];
        const bool is_last = i + 1 == name.size();
        if (is_last ? !is_singular_or_plural(word.small, name[i].small)
                    : word.small != name[i].small)
            return 0;
        if (is_last) continue;
        const std::string_view between = text.substr(word.end, words[at + i + 1].begin - word.end);
        if (between != " " && between != "_" && between != "-") return 0;
    }
    return name.size();
}

}  // namespace

const std::vector<Term>& glossary() {
    static const std::vector<Term> kTerms = {
        {"access", "An access is what one lane of a request loads or stores."},
        {"atomic",
         "An atomic operation reads, changes and writes an element in one step, so that no other "
         "thread's change is lost."},
        {"bank",
         "Shared memory has 32 banks, and word i lies in bank i modulo 32; a bank serves one word "
         "at a time."},
        {"bank conflict",
         "Lanes that want different words of one bank wait for each other: each further word costs "
         "a wavefront."},
        {"barrier",
         "At a barrier, __syncthreads(), each thread waits until all threads of its block have "
         "come to it."},
        {"block",
         "A block is a group of threads that run on one multiprocessor and share its shared "
         "memory."},
        {"coalesced",
         "A request is coalesced if its lanes want neighbouring addresses: then few sectors bring "
         "them all."},
        {"epoch", "An epoch is the time between two barriers of a block."},
        {"finding",
         "A finding is a mistake that the recording shows, such as a race, an access beyond an "
         "array, or a read of memory that nothing has written."},
        {"global memory",
         "Global memory is the GPU's large memory, which cudaMalloc() allocates and all blocks can "
         "use."},
        {"grid", "The grid is all blocks of a launch."},
        {"kernel",
         "A kernel is a function that runs on the GPU, once for each thread of its launch."},
        {"lane", "A lane is the place of a thread in its warp, from 0 to 31."},
        {"lanes on",
         "Lanes are on that take part in a request; the others have nothing to do meanwhile."},
        {"launch", "A launch, kernel<<<grid, block>>>(), runs a kernel for all blocks of a grid."},
        {"matrix product",
         "A matrix product is an instruction with which a warp multiplies two small matrices on "
         "the tensor cores."},
        {"multiply-add", "A multiply-add is one instruction that computes a * b + c."},
        {"padding",
         "Padding is elements that nobody uses; it moves each row of an array to other banks."},
        {"phase",
         "A phase is a trip of the loop that all threads of a block take together, such as one "
         "pair of tiles."},
        {"race",
         "In a race two threads access one element, at least one of them writes, and nothing says "
         "which comes first."},
        {"register", "A register is the fastest memory: it holds a value of one thread."},
        {"request",
         "A request is one load or store of a warp: all its lanes that are on ask at once."},
        {"sector",
         "Global memory moves in sectors of 32 bytes: a request costs as many as its addresses lie "
         "in."},
        {"shared memory",
         "Shared memory is a small and fast memory on the multiprocessor, which the threads of a "
         "block share."},
        {"tensor core",
         "Tensor cores multiply small matrices, an instruction of a whole warp at a time."},
        {"tile", "A tile is a small rectangle of a matrix that a block works on."},
        {"warp",
         "A warp is 32 consecutive threads of a block, which execute each instruction together."},
        {"wavefront",
         "Shared memory serves a request in wavefronts, one after the other; bank conflicts cost "
         "further ones."},
    };
    return kTerms;
}

std::vector<TermPlace> terms_in(std::string_view text) {
    const std::vector<TextWord> words = words_of(text);
    std::vector<TermPlace> places;
    for (std::size_t at = 0; at < words.size();) {
        std::size_t longest = 0;
        const Term* found = nullptr;
        for (const Term& term : glossary())
            if (const std::size_t count = words_of_term(text, words, at, term); count > longest)
                longest = count, found = &term;
        if (found != nullptr && std::ranges::count(places, found, &TermPlace::term) == 0)
            places.push_back({words[at].begin, words[at + longest - 1].end, found});
        at += std::max<std::size_t>(longest, 1);
    }
    return places;
}

}  // namespace tilereel

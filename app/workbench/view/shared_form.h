#pragma once
// What decides where the words of a kernel lie in shared memory, and when a change of it is shown
// as words that slide to their new banks.
#include <cstdint>
#include <string>
#include <vector>

#include "app/replay/replay.h"

namespace tilereel {

struct SharedForm {
    struct Array {
        std::string name;
        std::uint32_t rows = 0, columns = 0;    // without padding
        std::uint32_t leading_dimension = 0;    // with padding
        std::vector<std::uint64_t> elements{};  // by cell: the global element first copied to it
    };
    std::string kernel;
    std::uint32_t tile = 0, pad = 0;
    std::vector<Array> arrays{};  // in shared memory
    [[nodiscard]] const Array* find(const std::string& name) const;
};

[[nodiscard]] SharedForm form_of(const Replay& replay);

// Whether the words of `from` slide to their places in `to`. They do after another TILE or PAD of
// one kernel. They also do where an array of the same name and size holds the same elements at
// other places: after another padding in a program, or from a kernel to a swizzled one.
[[nodiscard]] bool slides(const SharedForm& from, const SharedForm& to);

// Where the element that lies at a cell of `to` lies in `from`, an array of the same size. Where
// elements are unknown it is the same row and column.
[[nodiscard]] std::vector<Element> former_places(const SharedForm::Array& from,
                                                 const SharedForm::Array& to);

}  // namespace tilereel

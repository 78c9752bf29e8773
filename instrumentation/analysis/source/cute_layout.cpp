#include "instrumentation/analysis/source/cute_layout.h"

#include <optional>
#include <utility>

#include "instrumentation/analysis/source/text_cursor.h"

namespace tilereel {
namespace {

constexpr std::int64_t kMostNumber = std::int64_t{1} << 32;  // of a shape or a stride
constexpr std::int64_t kMostElements = std::int64_t{1} << 32;
constexpr int kDeepestTuple = 16;  // nested tuples

// A number, or a tuple.
struct Tree {
    std::int64_t number = 0;
    std::vector<Tree> parts{};
    std::size_t at = 0;  // byte of the text
    [[nodiscard]] bool leaf() const { return parts.empty(); }
};

class LayoutParser : public TextCursor {
  public:
    using TextCursor::TextCursor;

    std::optional<Tree> tree(const char* what, int depth = 0) {
        Tree tree;
        const bool is_tuple = take("(");
        tree.at = is_tuple ? at() - 1 : at();
        if (!is_tuple) {
            const auto value = shape_or_stride(what);
            if (!value) return std::nullopt;
            tree.number = *value;
            return tree;
        }
        if (depth == kDeepestTuple) {
            go_to(tree.at);
            return complain("fewer nested tuples");
        }
        do {
            auto part = this->tree(what, depth + 1);
            if (!part) return std::nullopt;
            tree.parts.push_back(*std::move(part));
        } while (take(","));
        if (!take(")")) return complain("',' or ')'");
        return tree;
    }

  private:
    std::optional<std::int64_t> shape_or_stride(const char* what) {
        const std::size_t first = at();
        const Number found = number();
        if (found.error == std::errc::invalid_argument) {
            (void)take("_");
            return complain(what);
        }
        if (found.error != std::errc() || found.value > kMostNumber || found.value < 0)
            return fail(first, "the number is not from 0 to 4,294,967,296");
        return found.value;
    }
};

// Adds the leaves of a shape and a stride of the same form to a mode.
bool add_leaves(LayoutParser& parser, const Tree& shape, const Tree& stride,
                CuteLayout::Mode& mode) {
    if (shape.leaf() != stride.leaf() || shape.parts.size() != stride.parts.size()) {
        (void)parser.fail(stride.at, "the strides do not have the form of the shape");
        return false;
    }
    if (shape.leaf()) {
        if (shape.number == 0) {
            (void)parser.fail(shape.at, "a shape is 1 or more");
            return false;
        }
        mode.push_back({shape.number, stride.number});
        return true;
    }
    for (std::size_t i = 0; i < shape.parts.size(); ++i)
        if (!add_leaves(parser, shape.parts[i], stride.parts[i], mode)) return false;
    return true;
}

// The strides that a shape has without any: each leaf continues where the one before ends.
Tree compact(const Tree& shape, std::int64_t& next) {
    Tree stride{.at = shape.at};
    if (shape.leaf()) {
        stride.number = next;
        if (next <= kMostElements) next *= shape.number;
        return stride;
    }
    for (const Tree& part : shape.parts) stride.parts.push_back(compact(part, next));
    return stride;
}

std::int64_t offset_in(const CuteLayout::Mode& mode, std::int64_t& index, bool last_mode) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < mode.size(); ++i) {
        const bool last = last_mode && i + 1 == mode.size();
        const std::int64_t at = last ? index : index % mode[i].shape;
        index /= mode[i].shape;
        offset += at * mode[i].stride;
    }
    return offset;
}

}  // namespace

std::int64_t CuteSwizzle::operator()(std::int64_t offset) const {
    if (bits == 0) return offset;
    const std::int64_t mask = ((std::int64_t{1} << bits) - 1) << (base + (shift > 0 ? shift : 0));
    return offset ^ (shift > 0 ? (offset & mask) >> shift : (offset & mask) << -shift);
}

std::string swizzle_text(const CuteSwizzle& swizzle) {
    return "Swizzle<" + std::to_string(swizzle.bits) + "," + std::to_string(swizzle.base) + "," +
           std::to_string(swizzle.shift) + ">";
}

Result<CuteLayout> CuteLayout::parse(std::string_view text, std::size_t* wrong_at) {
    LayoutParser parser(text);
    const auto failed_parse = [&]() -> Error {
        if (wrong_at != nullptr) *wrong_at = parser.at();
        return parser.error();
    };
    const auto shape = parser.tree("a number of a shape, or '('");
    if (!shape) return failed_parse();
    std::int64_t next = 1;
    auto stride =
        parser.take(":") ? parser.tree("a stride, or '('") : std::optional(compact(*shape, next));
    if (!stride) return failed_parse();
    if (!parser.at_end()) {
        (void)parser.complain("the end");
        return failed_parse();
    }
    CuteLayout layout;
    const bool tuple = !shape->leaf() && !stride->leaf();
    if (tuple && shape->parts.size() == stride->parts.size()) {
        for (std::size_t i = 0; i < shape->parts.size(); ++i)
            if (!add_leaves(parser, shape->parts[i], stride->parts[i],
                            layout.modes_.emplace_back()))
                return failed_parse();
    } else if (!add_leaves(parser, *shape, *stride, layout.modes_.emplace_back())) {
        return failed_parse();
    }
    std::int64_t elements = 1, furthest = 0;
    for (const Mode& mode : layout.modes_)
        for (const Leaf& leaf : mode) {
            elements *= leaf.shape;
            // Both factors are at most 2^32, and the sum is checked after each.
            if (elements <= kMostElements && leaf.shape > 1 &&
                leaf.stride <= kMostElements / (leaf.shape - 1))
                furthest += (leaf.shape - 1) * leaf.stride;
            else if (leaf.shape > 1)
                furthest = kMostElements;
            if (elements > kMostElements || furthest >= kMostElements) {
                (void)parser.fail(0, "the layout is larger than 4 GiB");
                return failed_parse();
            }
        }
    return layout;
}

std::int64_t CuteLayout::size(std::size_t mode) const {
    std::int64_t size = 1;
    for (const Leaf& leaf : modes_[mode]) size *= leaf.shape;
    return size;
}

std::int64_t CuteLayout::size() const {
    std::int64_t all = 1;
    for (std::size_t mode = 0; mode < modes_.size(); ++mode) all *= size(mode);
    return all;
}

std::int64_t CuteLayout::offset(std::span<const std::int64_t> coordinate) const {
    std::int64_t offset = 0;
    for (std::size_t mode = 0; mode < modes_.size(); ++mode) {
        std::int64_t index = coordinate[mode];
        offset += offset_in(modes_[mode], index, true);
    }
    return offset;
}

std::int64_t CuteLayout::offset(std::int64_t index) const {
    std::int64_t offset = 0;
    for (std::size_t mode = 0; mode < modes_.size(); ++mode)
        offset += offset_in(modes_[mode], index, mode + 1 == modes_.size());
    return offset;
}

bool looks_like_layout(std::string_view text) {
    return text.find('?') == std::string_view::npos &&
           text.find_first_of(":,") != std::string_view::npos;
}

}  // namespace tilereel

#include "instrumentation/analysis/products/product_forms.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tilereel {
namespace {

constexpr std::uint32_t kLargestExtent = 1u << 14;
constexpr std::size_t kMostIntegers = 6;  // of a launch that are tried as sizes

// The square root of a b / c, rounded; 0 if it is not a possible extent.
std::uint32_t extent_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const double root = std::round(
        std::sqrt(static_cast<double>(a) * static_cast<double>(b) / static_cast<double>(c)));
    return root >= 1 && root <= kLargestExtent ? static_cast<std::uint32_t>(root) : 0;
}

int matrices_by_columns(const ProductForm& form) {
    return int{form.a.by_columns} + int{form.b.by_columns} + int{form.c.by_columns};
}

bool by_rows_first(const ProductForm& x, const ProductForm& y) {
    return matrices_by_columns(x) < matrices_by_columns(y);
}

// Lines of `length` elements, `pitch` apart.
struct Lines {
    std::uint32_t count = 0, length = 0, pitch = 0;
    [[nodiscard]] StoredMatrix matrix(bool by_columns) const {
        return by_columns ? StoredMatrix{length, count, pitch, true}
                          : StoredMatrix{count, length, pitch, false};
    }
};

// The integers of the launch that can be sizes, ascending.
std::vector<std::uint32_t> sizes_of_launch(const Trace& trace) {
    std::set<std::uint32_t> sizes;
    for (const NamedInteger& integer : trace.launch.integers)
        if (integer.value > 1 && integer.value <= kLargestExtent && sizes.size() < kMostIntegers)
            sizes.insert(static_cast<std::uint32_t>(integer.value));
    return {sizes.begin(), sizes.end()};
}

// The pitch of `count` lines of `length` elements that together occupy `numbers` elements, with or
// without the padding after the last line; 0 if no pitch fits.
std::uint32_t pitch_of(std::uint64_t numbers, std::uint32_t count, std::uint32_t length,
                       bool padded_end) {
    const std::uint64_t lines = padded_end ? count : count - 1;
    const std::uint64_t all =
        padded_end ? numbers : numbers - std::min<std::uint64_t>(length, numbers);
    if (lines == 0 || all % lines != 0 || all / lines < length || all / lines > kLargestExtent)
        return 0;
    return static_cast<std::uint32_t>(all / lines);
}

std::vector<Lines> lines_of(const Array& array, const std::vector<std::uint32_t>& sizes) {
    const std::uint64_t numbers = count_of_numbers(array);
    const auto components =
        static_cast<std::uint32_t>(std::max(array.element_bytes / type_bytes(array.type), 1u));
    std::vector<Lines> found;
    if (!array.one_extent && array.rows > 1 && array.columns > 1 && array.outer_extents.empty())
        found.push_back(
            {array.rows, array.columns * components, array.leading_dimension * components});
    for (const std::uint32_t count : sizes)
        for (const std::uint32_t length : sizes) {
            std::set<std::uint32_t> pitches = {pitch_of(numbers, count, length, true),
                                               pitch_of(numbers, count, length, false)};
            pitches.insert(sizes.begin(), sizes.end());
            for (const std::uint32_t pitch : pitches)
                if (pitch >= length && std::uint64_t{count - 1} * pitch + length <= numbers)
                    found.push_back({count, length, pitch});
        }
    return found;
}

}  // namespace

std::vector<ProductForm> dense_forms(const Trace& trace, const MatrixProduct& arrays) {
    const std::uint64_t a = count_of_numbers(trace.arrays[arrays.a]);
    const std::uint64_t b = count_of_numbers(trace.arrays[arrays.b]);
    const std::uint64_t c = count_of_numbers(trace.arrays[arrays.c]);
    const std::uint32_t m = extent_of(a, c, b), n = extent_of(b, c, a), k = extent_of(a, b, c);
    if (m <= 1 || n <= 1 || k <= 1) return {};
    if (std::uint64_t{m} * k != a || std::uint64_t{k} * n != b || std::uint64_t{m} * n != c)
        return {};
    std::vector<ProductForm> forms;
    for (unsigned by_columns = 0; by_columns < 8; ++by_columns)
        forms.push_back({arrays, StoredMatrix::dense(m, k, (by_columns & 1) != 0),
                         StoredMatrix::dense(k, n, (by_columns & 2) != 0),
                         StoredMatrix::dense(m, n, (by_columns & 4) != 0)});
    std::ranges::stable_sort(forms, by_rows_first);
    return forms;
}

std::vector<ProductForm> padded_forms(const Trace& trace, const MatrixProduct& arrays,
                                      const AccessedShapes& accessed) {
    const std::vector<std::uint32_t> sizes = sizes_of_launch(trace);
    const auto matrices = [&](ArrayId id) {
        std::vector<StoredMatrix> found;
        std::vector<Lines> all = lines_of(trace.arrays[id], sizes);
        if (const auto runs = accessed.runs(id))
            all.push_back({runs->lines(), runs->length(), runs->pitch});
        for (const Lines& lines : all)
            for (const bool by_columns : {false, true})
                if (const StoredMatrix matrix = lines.matrix(by_columns);
                    std::ranges::find(found, matrix) == found.end() && accessed.fill(id, matrix))
                    found.push_back(matrix);
        return found;
    };
    const std::vector<StoredMatrix> of_c = matrices(arrays.c);
    if (of_c.empty()) return {};
    const std::vector<StoredMatrix> of_a = matrices(arrays.a), of_b = matrices(arrays.b);
    const auto is_exact = [&](ArrayId id, const StoredMatrix& matrix) {  // as in dense_forms()
        return matrix.is_dense() && matrix.elements() == count_of_numbers(trace.arrays[id]);
    };
    std::vector<ProductForm> forms;
    for (const StoredMatrix& c : of_c)
        for (const StoredMatrix& a : of_a)
            for (const StoredMatrix& b : of_b)
                if (a.rows == c.rows && b.rows == a.columns && b.columns == c.columns &&
                    !(is_exact(arrays.a, a) && is_exact(arrays.b, b) && is_exact(arrays.c, c)))
                    forms.push_back({arrays, a, b, c});
    std::ranges::stable_sort(forms, by_rows_first);
    return forms;
}

std::vector<ProductForm> forms_of_extents(const Trace& trace, const MatrixProduct& arrays,
                                          std::uint32_t m, std::uint32_t n, std::uint32_t k) {
    const std::vector<std::uint32_t> sizes = sizes_of_launch(trace);
    const auto layouts = [&](ArrayId id, std::uint32_t rows, std::uint32_t columns) {
        std::vector<StoredMatrix> found;
        const std::uint64_t numbers = count_of_numbers(trace.arrays[id]);
        for (const bool by_columns : {false, true}) {
            StoredMatrix matrix = StoredMatrix::dense(rows, columns, by_columns);
            std::set<std::uint32_t> pitches = {
                pitch_of(numbers, matrix.lines(), matrix.length(), true),
                pitch_of(numbers, matrix.lines(), matrix.length(), false)};
            pitches.insert(sizes.begin(), sizes.end());
            found.push_back(matrix);
            for (const std::uint32_t pitch : pitches) {
                if (pitch <= matrix.length()) continue;
                matrix.pitch = pitch;
                found.push_back(matrix);
            }
        }
        return found;
    };
    std::vector<ProductForm> forms;
    for (const StoredMatrix& a : layouts(arrays.a, m, k))
        for (const StoredMatrix& b : layouts(arrays.b, k, n))
            for (const StoredMatrix& c : layouts(arrays.c, m, n))
                forms.push_back({arrays, a, b, c});
    std::ranges::stable_sort(forms, by_rows_first);
    return forms;
}

}  // namespace tilereel

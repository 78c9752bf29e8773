#include "instrumentation/analysis/products/recognise_product.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "instrumentation/analysis/products/computed_elements.h"
#include "instrumentation/analysis/products/product_accesses.h"
#include "instrumentation/analysis/products/product_forms.h"
#include "instrumentation/analysis/products/product_scalars.h"
#include "instrumentation/analysis/products/product_terms.h"

namespace tilereel {
namespace {

constexpr std::size_t kSamples = 96;     // elements of C that are computed anew, or all
constexpr std::size_t kMostArrays = 6;   // that are only read, and that are written
constexpr std::size_t kMostForms = 512;  // with padding, of three arrays

bool is_of_numbers(const Array& array) {
    return array.space == Space::kGlobal && array.type != ElementType::kBytes &&
           array.is_of_one_type() && array.element_bytes % type_bytes(array.type) == 0 &&
           !array.by_columns;
}

// From one sample to the next. It has no factor in common with the number of elements, so that
// each element comes once, and is far from a row's length and its multiples.
std::size_t step_of_samples(std::size_t elements) {
    auto step = std::max<std::size_t>(std::size_t(0.618 * double(elements)), 1);
    while (std::gcd(step, elements) != 1) ++step;
    return step;
}

bool all_finite(const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

// "B" and "A", "d_b" and "d_a": they differ in one letter.
bool are_b_and_a(const std::string& first, const std::string& second) {
    if (first.size() != second.size()) return false;
    const auto [at, other] = std::ranges::mismatch(first, second);
    if (at == first.end() || !std::equal(at + 1, first.end(), other + 1)) return false;
    return (*at == 'B' && *other == 'A') || (*at == 'b' && *other == 'a');
}

class Recogniser {
  public:
    explicit Recogniser(const Trace& trace)
        : trace_(trace), uses_(uses_of_arrays(trace)), accesses_(trace) {}

    std::optional<ProductForm> run() {
        const std::vector<MatrixProduct> triples = all_triples();
        std::vector<ProductForm> wrong;  // forms that fit by their accesses only
        for (const bool padded : {false, true})
            for (const MatrixProduct& arrays : triples)
                for (const ProductForm& form : forms(arrays, padded)) {
                    const auto fit = accesses_.fit(form);
                    if (!fit.holds) continue;
                    const Reading reading = read(form);
                    if (reading.right) return by_names(*reading.right);
                    if (!reading.known) continue;
                    if (fit.multiplies_enough && fit.stores_enough && fit.is_conclusive &&
                        adds_terms_of(trace_, form))
                        wrong.push_back(form);
                }
        if (wrong.empty()) return std::nullopt;
        return with_likely_scalars(wrong.front());
    }

    ProductForm likeliest(const std::vector<ProductForm>& forms) const {
        std::optional<ProductForm> fitting;
        for (const ProductForm& form : forms) {
            if (!accesses_.fit(form).holds) continue;
            if (const Reading reading = read(form); reading.right) return *reading.right;
            if (!fitting) fitting = form;
        }
        if (!fitting)
            if (const Reading reading = read(forms.front()); reading.right) return *reading.right;
        return with_likely_scalars(fitting.value_or(forms.front()));
    }

  private:
    [[nodiscard]] ProductForm with_likely_scalars(ProductForm form) const {
        const Scalars scalars = likely_scalars(trace_, uses_[form.matrices.c].loaded);
        form.matrices.alpha = scalars.alpha;
        form.matrices.beta = scalars.beta;
        return form;
    }

    [[nodiscard]] std::vector<MatrixProduct> all_triples() const {
        std::vector<ArrayId> inputs, outputs;
        for (ArrayId id = 0; id < trace_.arrays.size(); ++id) {
            if (!is_of_numbers(trace_.arrays[id]) || uses_[id].other) continue;
            if (uses_[id].stored) outputs.push_back(id);
            if (uses_[id].loaded && !uses_[id].stored) inputs.push_back(id);
        }
        std::vector<MatrixProduct> triples, squares;
        if (inputs.size() > kMostArrays || outputs.size() > kMostArrays) return {};
        for (const ArrayId c : outputs)
            for (const ArrayId a : inputs)
                for (const ArrayId b : inputs)
                    (a == b ? squares : triples).push_back({.a = a, .b = b, .c = c});
        triples.insert(triples.end(), squares.begin(), squares.end());
        return triples;
    }

    std::vector<ProductForm> forms(const MatrixProduct& arrays, bool padded) {
        if (!padded) return dense_forms(trace_, arrays);
        std::vector<ProductForm> forms = padded_forms(
            trace_, arrays,
            {.fill = [this](ArrayId id, const StoredMatrix& matrix) { return fills(id, matrix); },
             .runs = [this](ArrayId id) { return runs(id); }});
        if (forms.size() > kMostForms) forms.resize(kMostForms);
        return forms;
    }

    bool fills(ArrayId array, const StoredMatrix& matrix) {
        const auto key =
            std::tuple(array, matrix.rows, matrix.columns, matrix.pitch, matrix.by_columns);
        const auto [entry, fresh] = fills_.try_emplace(key, false);
        if (fresh) entry->second = accesses_.fill(array, matrix);
        return entry->second;
    }

    std::optional<StoredMatrix> runs(ArrayId array) {
        const auto [entry, fresh] = runs_.try_emplace(array, std::nullopt);
        if (fresh) entry->second = accesses_.runs(array);
        return entry->second;
    }

    struct Reading {
        bool known = false;                // the values of C, and of A and B, which are finite
        std::optional<ProductForm> right;  // with alpha and beta, if C is that product
    };
    [[nodiscard]] Reading read(const ProductForm& form) const {
        const MatrixProduct& ids = form.matrices;
        const bool reads_c = uses_[ids.c].loaded;
        const std::vector<double> a = matrix_values(trace_, ids.a, form.a, false),
                                  b = matrix_values(trace_, ids.b, form.b, false),
                                  c = matrix_values(trace_, ids.c, form.c, true),
                                  before = matrix_values(trace_, ids.c, form.c, false);
        if (a.empty() || b.empty() || c.empty() || !all_finite(a) || !all_finite(b)) return {};
        std::vector<ProductSample> samples;
        for (const std::size_t element : sampled_elements(form)) {
            ProductSample& sample = samples.emplace_back();
            sample.found = c[element];
            sample.before = before.empty() ? 0 : before[element];
            const std::size_t row = element / form.n(), column = element % form.n();
            for (std::size_t k = 0; k < form.k(); ++k) {
                const double product = a[row * form.k() + k] * b[k * form.n() + column];
                sample.product += product;
                sample.magnitude += std::abs(product);
            }
        }
        const ProductRounding rounding(trace_, ids.c, form.k());
        if (adds_another_array(form, rounding, samples)) return {};
        const auto scalars = find_scalars(trace_, rounding, samples, reads_c);
        if (!scalars) return {true, std::nullopt};
        ProductForm found = form;
        found.matrices.alpha = scalars->alpha;
        found.matrices.beta = scalars->beta;
        return {true, found};
    }

    // Whether C is alpha A B + beta X, where X is another array of C's size that is only loaded.
    [[nodiscard]] bool adds_another_array(const ProductForm& form, const ProductRounding& rounding,
                                          std::vector<ProductSample> samples) const {
        const MatrixProduct& ids = form.matrices;
        const std::vector<std::size_t> elements = sampled_elements(form);
        for (ArrayId id = 0; id < trace_.arrays.size(); ++id) {
            const Array& array = trace_.arrays[id];
            const bool is_input = uses_[id].loaded && !uses_[id].stored;
            if (!is_input || id == ids.a || id == ids.b || !is_of_numbers(array) ||
                count_of_numbers(array) != count_of_numbers(trace_.arrays[ids.c]))
                continue;
            const std::vector<double> added = matrix_values(trace_, id, form.c, false);
            if (added.empty()) continue;
            for (std::size_t i = 0; i < samples.size(); ++i) samples[i].before = added[elements[i]];
            const auto scalars = find_scalars(trace_, rounding, samples, true);
            if (scalars && scalars->beta != 0) return true;
        }
        return false;
    }

    // Some elements of C that have been computed, numbered row by row.
    [[nodiscard]] std::vector<std::size_t> sampled_elements(const ProductForm& form) const {
        const ArrayId c = form.matrices.c;
        const auto [entry, fresh] = computed_.try_emplace(c, std::nullopt);
        if (fresh) entry->second = elements_computed_so_far(trace_, c);
        std::vector<std::size_t> computed;  // empty: all are
        if (entry->second)
            for (std::size_t at = 0; at < entry->second->size(); ++at)
                if (const ElementPlace place = form.c.place_of(at);
                    (*entry->second)[at] && form.c.holds(place))
                    computed.push_back(std::size_t{place.row} * form.n() + place.column);
        const std::size_t all =
            computed.empty() ? std::size_t{form.m()} * form.n() : computed.size();
        const std::size_t step = step_of_samples(all);
        std::vector<std::size_t> samples;
        for (std::size_t i = 0; i < std::min(kSamples, all); ++i) {
            const std::size_t at = i * step % all;
            samples.push_back(computed.empty() ? at : computed[at]);
        }
        return samples;
    }

    // If the factors are arrays named B and A, in this order: the same product as C = A B of
    // column-major matrices.
    [[nodiscard]] ProductForm by_names(const ProductForm& found) const {
        const MatrixProduct& ids = found.matrices;
        const auto transposed = [](StoredMatrix matrix) {
            std::swap(matrix.rows, matrix.columns);
            matrix.by_columns = !matrix.by_columns;
            return matrix;
        };
        const bool by_rows = !found.a.by_columns && !found.b.by_columns && !found.c.by_columns;
        if (!by_rows || !are_b_and_a(trace_.arrays[ids.a].name, trace_.arrays[ids.b].name))
            return found;
        ProductForm other = found;
        std::swap(other.matrices.a, other.matrices.b);
        other.a = transposed(found.b);
        other.b = transposed(found.a);
        other.c = transposed(found.c);
        return other;
    }

    const Trace& trace_;
    std::vector<ArrayUse> uses_;
    ProductAccesses accesses_;
    mutable std::map<ArrayId, std::optional<std::vector<bool>>> computed_;
    std::map<ArrayId, std::optional<StoredMatrix>> runs_;
    std::map<std::tuple<ArrayId, std::uint32_t, std::uint32_t, std::uint32_t, bool>, bool> fills_;
};

}  // namespace

std::optional<ProductForm> recognise_product(const Trace& trace) {
    if (trace.product) return std::nullopt;  // the trace names its product
    return Recogniser(trace).run();
}

ProductForm likeliest_form(const Trace& trace, const std::vector<ProductForm>& forms) {
    return Recogniser(trace).likeliest(forms);
}

}  // namespace tilereel

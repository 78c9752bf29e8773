#include "instrumentation/analysis/products/named_product.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "instrumentation/analysis/products/name_product.h"
#include "instrumentation/analysis/products/product_accesses.h"
#include "instrumentation/analysis/products/product_forms.h"
#include "instrumentation/analysis/products/recognise_product.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kLargestNamedExtent = 1u << 20;
constexpr std::string_view kByColumns = "^T";

std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == ',')
            parts.emplace_back();
        else if (c != ' ')
            parts.back() += c;
    }
    return parts;
}

NamedProduct::Factor factor_of(std::string name) {
    const bool by_columns = name.ends_with(kByColumns);
    if (by_columns) name.resize(name.size() - kByColumns.size());
    return {std::move(name), by_columns};
}

bool read_extent(const std::string& text, std::uint32_t& extent) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), extent);
    return problem == std::errc() && end == text.data() + text.size() && extent >= 1 &&
           extent <= kLargestNamedExtent;
}

Result<ArrayId> array_of(const Trace& trace, const std::string& name) {
    std::string names;
    for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
        if (trace.arrays[id].space != Space::kGlobal) continue;
        if (trace.arrays[id].name == name) return id;
        names += (names.empty() ? "" : ", ") + trace.arrays[id].name;
    }
    return wrong_call("the launch of " + trace.launch.kernel + " has no global array '" + name +
                      "'; it has " + (names.empty() ? "none" : names));
}

bool has_layout_of(const ProductForm& form, const NamedProduct& product) {
    return (form.a.by_columns || !product.a.by_columns) &&
           (form.b.by_columns || !product.b.by_columns) &&
           (form.c.by_columns || !product.c.by_columns);
}

}  // namespace

Result<NamedProduct> parse_product(const std::string& text) {
    const std::vector<std::string> parts = parts_of(text);
    NamedProduct product;
    const bool sized = parts.size() == 6;
    bool right = (parts.size() == 3 || sized) &&
                 std::ranges::none_of(parts, [](const auto& part) { return part.empty(); });
    if (right) {
        product.a = factor_of(parts[0]);
        product.b = factor_of(parts[1]);
        product.c = factor_of(parts[2]);
        right = !product.a.array.empty() && !product.b.array.empty() && !product.c.array.empty();
    }
    if (right && sized)
        right = read_extent(parts[3], product.m) && read_extent(parts[4], product.n) &&
                read_extent(parts[5], product.k);
    if (right) return product;
    return wrong_call("'" + text +
                      "' is no product: name three arrays as A,B,C, with sizes as A,B,C,M,N,K");
}

std::string text_of(const NamedProduct& product) {
    std::string text;
    for (const NamedProduct::Factor* factor : {&product.a, &product.b, &product.c})
        text += (text.empty() ? "" : ",") + factor->array +
                (factor->by_columns ? std::string(kByColumns) : "");
    if (product.m != 0)
        text += "," + std::to_string(product.m) + "," + std::to_string(product.n) + "," +
                std::to_string(product.k);
    return text;
}

NamedProduct guess_product(const Trace& trace) {
    const std::vector<ArrayUse> uses = uses_of_arrays(trace);
    std::vector<ArrayId> inputs, outputs;
    for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
        if (trace.arrays[id].space != Space::kGlobal) continue;
        (uses[id].stored ? outputs : inputs).push_back(id);
    }
    if (inputs.empty()) inputs = outputs;
    if (outputs.empty()) outputs = inputs;
    NamedProduct guess;
    if (inputs.empty()) return guess;
    const MatrixProduct ids{
        .a = inputs[0], .b = inputs[inputs.size() > 1 ? 1 : 0], .c = outputs[0]};
    guess.a.array = trace.arrays[ids.a].name;
    guess.b.array = trace.arrays[ids.b].name;
    guess.c.array = trace.arrays[ids.c].name;
    if (const std::vector<ProductForm> forms = dense_forms(trace, ids); !forms.empty()) {
        guess.m = forms[0].m(), guess.n = forms[0].n(), guess.k = forms[0].k();
        return guess;
    }
    std::vector<std::uint32_t> sizes;
    const auto take = [&](const NamedInteger& integer) {
        const auto size = static_cast<std::uint32_t>(
            std::clamp<std::int64_t>(integer.value, 1, kLargestNamedExtent));
        sizes.push_back(size);
        for (const auto& [name, extent] :
             {std::pair("mM", &guess.m), std::pair("nN", &guess.n), std::pair("kK", &guess.k)})
            if (integer.name.size() == 1 &&
                std::string_view(name).find(integer.name[0]) != std::string_view::npos)
                *extent = size;
    };
    for (const NamedInteger& integer : trace.launch.integers) take(integer);
    if (sizes.empty()) sizes.push_back(1);
    std::size_t next = 0;
    for (std::uint32_t* const extent : {&guess.m, &guess.n, &guess.k})
        if (*extent == 0) *extent = sizes[std::min(next++, sizes.size() - 1)];
    return guess;
}

bool has_arrays_of(const Trace& trace, const NamedProduct& product) {
    return array_of(trace, product.a.array) && array_of(trace, product.b.array) &&
           array_of(trace, product.c.array);
}

Result<ProductForm> form_of(const Trace& trace, const NamedProduct& product) {
    MatrixProduct ids;
    for (const auto& [factor, id] : {std::pair(&product.a, &ids.a), std::pair(&product.b, &ids.b),
                                     std::pair(&product.c, &ids.c)}) {
        const ArrayId found = TRY(array_of(trace, factor->array));
        *id = found;
    }
    if (ids.c == ids.a || ids.c == ids.b)
        return wrong_call("C is the array of a factor, too; name another array for C");
    std::vector<ProductForm> forms;
    if (product.m != 0) {
        forms = forms_of_extents(trace, ids, product.m, product.n, product.k);
    } else {
        forms = dense_forms(trace, ids);
        const ProductAccesses accesses(trace);
        const std::vector<ProductForm> padded = padded_forms(
            trace, ids,
            {.fill = [&](ArrayId id,
                         const StoredMatrix& matrix) { return accesses.fill(id, matrix); },
             .runs = [&](ArrayId id) { return accesses.runs(id); }});
        forms.insert(forms.end(), padded.begin(), padded.end());
    }
    std::erase_if(forms, [&](const ProductForm& form) { return !has_layout_of(form, product); });
    if (forms.empty())
        return wrong_call("the sizes of " + product.a.array + ", " + product.b.array + " and " +
                          product.c.array +
                          " do not tell M, N and K; give them after the names: A,B,C,M,N,K");
    FormCheck checker(trace);
    const Status first = checker.check(forms.front());
    std::erase_if(forms, [&](const ProductForm& form) { return !checker.check(form); });
    if (forms.empty()) return first.error();
    return likeliest_form(trace, forms);
}

Status show_as(Trace& trace, const NamedProduct& product) {
    const ProductForm form = TRY(form_of(trace, product));
    name_product(trace, form);
    return Done{};
}

}  // namespace tilereel

// wmma.load, wmma.mma and wmma.store. PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions:
// wmma". They do what the functions of nvcuda::wmma do, with the same accesses
// (include/tilereel/wmma/load_and_store.h), but store half accumulators in columns one by one.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_address.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_sites.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_values.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_wmma {

struct Shape {
    int m = 0, n = 0, k = 0;
};
// "m16n16k16"
std::optional<Shape> shape_named(std::string_view word) {
    Shape shape;
    const char* at = word.data();
    const char* const end = at + word.size();
    for (const auto& [letter, extent] :
         {std::pair('m', &shape.m), std::pair('n', &shape.n), std::pair('k', &shape.k)}) {
        if (at == end || *at != letter) return std::nullopt;
        const auto [next, error] = std::from_chars(at + 1, end, *extent);
        if (error != std::errc()) return std::nullopt;
        at = next;
    }
    return at == end ? std::optional(shape) : std::nullopt;
}

// A fragment: its matrix, and how its elements lie in memory and in registers.
struct Fragment {
    Shape shape;
    char matrix = 'a';
    PtxType type = PtxType::kNone;
    const char* name = "";                 // of the type
    std::uint32_t bytes = 0;               // of an element
    std::uint32_t different = 0, all = 0;  // elements of a lane: those of half are there twice
    std::uint32_t together = 1;            // neighbours that one access carries
    bool along_row = true;                 // in which direction they lie
    [[nodiscard]] std::uint32_t registers() const { return all * bytes / register_bytes(); }
    [[nodiscard]] std::uint32_t register_bytes() const { return std::max(bytes, 4u); }
    [[nodiscard]] const MatrixPlace* places(bool transposed) const {
        return fragment_places(shape.m, shape.n, shape.k, name, matrix, transposed) +
               lane_number() * different;
    }
};

struct TypeName {
    PtxType type;
    const char* name;
};
constexpr std::array kTypes = std::to_array<TypeName>({{PtxType::kF16, "f16"},
                                                       {PtxType::kBf16, "bf16"},
                                                       {PtxType::kTf32, "tf32"},
                                                       {PtxType::kF32, "f32"},
                                                       {PtxType::kF64, "f64"},
                                                       {PtxType::kS8, "s8"},
                                                       {PtxType::kU8, "u8"},
                                                       {PtxType::kS32, "s32"}});
const char* name_of(PtxType type) {
    const auto found = std::ranges::find(kTypes, type, &TypeName::type);
    return found == kTypes.end() ? nullptr : found->name;
}

Result<Fragment> fragment_of(const PtxBinder& binder, char matrix, PtxType type) {
    Fragment made;
    const PtxInstruction& instruction = binder.instruction();
    std::optional<Shape> shape;
    for (const std::string& word : instruction.words)
        if (!shape) shape = shape_named(word);
    made.name = name_of(type) == nullptr ? "" : name_of(type);
    if (!shape || name_of(type) == nullptr)
        return binder.refuse("use mma.sync, or types of 8 bits and more");
    made.shape = *shape;
    made.matrix = matrix;
    made.type = type;
    made.bytes = bytes_of(type);
    const int elements = matrix == 'a'   ? shape->m * shape->k
                         : matrix == 'b' ? shape->n * shape->k
                                         : shape->m * shape->n;
    made.different = made.all = std::uint32_t(elements) / kLanes;
    if (matrix != 'c' && type == PtxType::kF16) made.all = 16;
    made.together = matrix == 'c' ? 2 : made.bytes >= 4 ? 1 : 4 / made.bytes;
    made.along_row = matrix == 'a' || (matrix == 'c' && shape->n != 32);
    return made;
}

struct Memory final : PtxDetails {
    Fragment fragment;
    std::shared_ptr<PtxAddress> address;
    PtxSource stride;  // elements
    bool by_rows = true;
    std::vector<std::uint32_t> targets;
    std::vector<PtxSource> sources;
    [[nodiscard]] std::uint64_t at(const MatrixPlace& place, std::uint64_t row_length) const {
        const auto row = std::uint64_t(place.row), column = std::uint64_t(place.column);
        return fragment.bytes * (by_rows ? row * row_length + column : column * row_length + row);
    }
};

Site* site_for(const PtxFrame& frame, const PtxStep& step, const Fragment& fragment,
               std::uint32_t elements, SiteKind kind) {
    if (Worker::current() == nullptr || frame.call == nullptr) return nullptr;
    return &site_of(
        *frame.call, step,
        {.kind = kind, .width_bytes = elements * fragment.bytes, .element = fragment.type});
}

// Calls access(first element, number of elements, offset in memory) for each access of the lane.
template <class Access>
void for_each_access(const Memory& memory, std::uint64_t row_length, bool across, Access access) {
    const Fragment& fragment = memory.fragment;
    const bool side_by_side = memory.by_rows == fragment.along_row;
    const std::uint32_t together = side_by_side || across ? fragment.together : 1;
    const MatrixPlace* const places = fragment.places(across);
    for (std::uint32_t i = 0; i < fragment.different; i += together)
        access(i, together, memory.at(places[i], row_length));
}

// Whether 8 x 8 matrices are loaded or stored as they lie in memory, and exchanged between lanes.
bool goes_across(const Memory& memory) {
    return memory.by_rows != memory.fragment.along_row && memory.fragment.bytes == 2;
}

void load(PtxFrame& frame, const PtxStep& step) {
    const auto& memory = static_cast<const Memory&>(*step.details);
    const Fragment& fragment = memory.fragment;
    const auto* const from = static_cast<const unsigned char*>(memory.address->pointer(frame));
    const std::uint64_t row_length = get(frame, memory.stride) & 0xffffffff;
    enter_call(frame, step, "wmma.load");
    std::array<unsigned char, 128> values{};
    const bool across = goes_across(memory);
    for_each_access(
        memory, row_length, across,
        [&](std::uint32_t first, std::uint32_t count, std::uint64_t offset) {
            const void* at = from + offset;
            if (Site* const site = site_for(frame, step, fragment, count, SiteKind::kLoad))
                at = tilereel_load(at, site);
            std::memcpy(values.data() + first * fragment.bytes, at, count * fragment.bytes);
        });
    if (across) {  // what other lanes have loaded
        const MatrixPlace* const places = fragment.places(false);
        for (std::uint32_t i = 0; i < fragment.different; ++i)
            std::memcpy(values.data() + i * 2, from + memory.at(places[i], row_length), 2);
    }
    for (std::uint32_t i = fragment.different; i < fragment.all; ++i)
        std::memcpy(values.data() + i * fragment.bytes,
                    values.data() + (i - fragment.different) * fragment.bytes, fragment.bytes);
    const std::uint32_t width = fragment.register_bytes();
    for (std::size_t i = 0; i < memory.targets.size(); ++i) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, values.data() + i * width, width);
        put(frame, memory.targets[i], bits);
    }
}

std::array<unsigned char, 128> registers_of(const PtxFrame& frame,
                                            const std::vector<PtxSource>& sources,
                                            std::uint32_t width) {
    std::array<unsigned char, 128> values{};
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const std::uint64_t bits = get(frame, sources[i]);
        std::memcpy(values.data() + i * width, &bits, width);
    }
    return values;
}

void store(PtxFrame& frame, const PtxStep& step) {
    const auto& memory = static_cast<const Memory&>(*step.details);
    const Fragment& fragment = memory.fragment;
    auto* const to = static_cast<unsigned char*>(memory.address->pointer(frame));
    const std::uint64_t row_length = get(frame, memory.stride) & 0xffffffff;
    enter_call(frame, step, "wmma.store");
    const auto values = registers_of(frame, memory.sources, fragment.register_bytes());
    for_each_access(memory, row_length, false,
                    [&](std::uint32_t first, std::uint32_t count, std::uint64_t offset) {
                        void* at = to + offset;
                        const void* const value = values.data() + first * fragment.bytes;
                        Site* const site = site_for(frame, step, fragment, count, SiteKind::kStore);
                        if (site != nullptr) at = tilereel_store_wide(at, site);
                        std::memcpy(at, value, count * fragment.bytes);
                        if (site != nullptr) tilereel_stored(value);
                    });
}

struct Product final : PtxDetails {
    Fragment a, b, c, d;
    bool saturates = false;
    std::vector<PtxSource> of_a, of_b, of_c;
    std::vector<std::uint32_t> of_d;
};

void multiply(PtxFrame& frame, const PtxStep& step) {
    const auto& product = static_cast<const Product&>(*step.details);
    const auto a = registers_of(frame, product.of_a, product.a.register_bytes());
    const auto b = registers_of(frame, product.of_b, product.b.register_bytes());
    const auto c = registers_of(frame, product.of_c, product.c.register_bytes());
    std::array<unsigned char, 128> d{};
    const Shape& shape = product.a.shape;
    MatrixCall call = {shape.m,           shape.n,        shape.k,        product.a.name,
                       product.b.name,    product.c.name, product.d.name, "",
                       product.saturates, a.data(),       b.data(),       c.data(),
                       d.data(),          false};
    enter_call(frame, step, "wmma.mma");
    matrix_product(call);
    const std::uint32_t width = product.d.register_bytes();
    for (std::size_t i = 0; i < product.of_d.size(); ++i) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, d.data() + i * width, width);
        put(frame, product.of_d[i], bits);
    }
}

Status expect_registers(const PtxBinder& binder, const Fragment& fragment, std::size_t given) {
    if (given == fragment.registers()) return Done{};
    return failed("has " + std::to_string(given) + " registers in " + binder.instruction().text +
                  ", which takes " + std::to_string(fragment.registers()));
}

// wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {...}, [from], stride
// wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [to], {...}, stride
Result<PtxStep> bind_memory(const PtxBinder& binder, bool loads) {
    const PtxInstruction& instruction = binder.instruction();
    TRY(binder.expect_operands(2, 3));
    const std::vector<PtxType> types = instruction.types();
    if (types.empty()) return binder.refuse("it names no type");
    auto made = std::make_shared<Memory>();
    const char matrix = instruction.has("a") ? 'a' : instruction.has("b") ? 'b' : 'c';
    made->fragment = TRY(fragment_of(binder, matrix, types.back()));
    made->by_rows = instruction.has("row");
    made->address = TRY(address_of(binder, loads ? 1 : 0, space_of(instruction)));
    if (loads)
        made->targets = TRY(binder.targets(0));
    else
        made->sources = TRY(binder.sources(1, PtxType::kB32));
    TRY(expect_registers(binder, made->fragment, made->targets.size() + made->sources.size()));
    const Shape& shape = made->fragment.shape;
    const int rows = matrix == 'b' ? shape.k : shape.m, columns = matrix == 'a' ? shape.k : shape.n;
    made->stride.value = std::uint64_t(made->by_rows ? columns : rows);
    if (binder.operands() == 3) made->stride = TRY(binder.source(2, PtxType::kU32));
    PtxStep step;
    step.run = loads ? load : store;
    step.details = std::move(made);
    return step;
}

// wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 d, a, b, c: half has the types of D and C alone;
// the others those of D, A, B and C.
Result<PtxStep> bind_product(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    TRY(binder.expect_operands(4, 4));
    std::vector<PtxType> types = instruction.types();
    if (types.size() == 2) types = {types[0], PtxType::kF16, PtxType::kF16, types[1]};
    if (types.size() != 4) return binder.refuse("it has two or four types");
    auto made = std::make_shared<Product>();
    made->d = TRY(fragment_of(binder, 'c', types[0]));
    made->a = TRY(fragment_of(binder, 'a', types[1]));
    made->b = TRY(fragment_of(binder, 'b', types[2]));
    made->c = TRY(fragment_of(binder, 'c', types[3]));
    made->saturates = instruction.has("satfinite");
    made->of_d = TRY(binder.targets(0));
    made->of_a = TRY(binder.sources(1, PtxType::kB32));
    made->of_b = TRY(binder.sources(2, PtxType::kB32));
    made->of_c = TRY(binder.sources(3, PtxType::kB32));
    TRY(expect_registers(binder, made->d, made->of_d.size()));
    TRY(expect_registers(binder, made->a, made->of_a.size()));
    TRY(expect_registers(binder, made->b, made->of_b.size()));
    TRY(expect_registers(binder, made->c, made->of_c.size()));
    PtxStep step;
    step.run = multiply;
    step.details = std::move(made);
    return step;
}

Result<PtxStep> bind_wmma(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    if (instruction.has("load")) return bind_memory(binder, true);
    if (instruction.has("store")) return bind_memory(binder, false);
    if (instruction.has("popc")) return binder.refuse("use bmma_sync()");
    return bind_product(binder);
}

}  // namespace ptx_wmma

PtxBind wmma_instruction(std::string_view name) {
    return name == "wmma" ? ptx_wmma::bind_wmma : nullptr;
}

}  // namespace tilereel::runtime

#include "app/ladder/ladder_trace.h"

#include <algorithm>
#include <string>
#include <utility>

#include "app/ladder/kernel_of_trace.h"
#include "instrumentation/analysis/products/computed_elements.h"
#include "instrumentation/analysis/products/product_reference.h"
#include "kernels/launch_rules.h"

namespace tilereel {
namespace {

constexpr const char* kMatrices[] = {"A", "B", "C"};  // ArrayId order of the ladder's traces

// How many of an array's columns are padding: those that it has only with PAD.
std::uint32_t padding_of(const RequestedLaunch& requested, const Launch& launch,
                         std::string_view array) {
    const LadderFile& file = *requested.kernel->file;
    const auto columns_with = [&](std::uint32_t pad) {
        for (const DeclaredArray& each : file.shared_arrays(launch.tile, pad))
            if (each.name == array && !each.extents.empty()) return each.extents.back();
        return 0u;
    };
    return launch.pad == 0 ? 0 : columns_with(launch.pad) - columns_with(0);
}

ElementType element_type_of(InputType type) {
    return type == InputType::kFloat32 ? ElementType::kFloat32 : ElementType::kBfloat16;
}

Array shared_array(std::string_view name, InputType type, const Array::Shape& shape) {
    Array array = Array::of(std::string(name), Space::kShared, element_type_of(type),
                            static_cast<std::uint32_t>(bytes_of(type)), shape);
    array.type_name = cuda_name(type);
    return array;
}

// The arrays in dynamic shared memory that the kernel's header lists.
std::vector<Array> listed_arrays(const Launch& launch, const KernelInfo& kernel) {
    const KernelParameters p = parameters_of(launch);
    std::vector<Array> arrays;
    for (const DeclaredShared::Tile& tile : kernel.shared_rules->tiles) {
        Array::Shape shape;
        for (const DeclaredExtent& extent : tile.extents)
            shape.extents.push_back(static_cast<std::uint32_t>(extent_of(extent, p)));
        shape.row_pitch = shape.extents.back() + launch.pad;
        arrays.push_back(shared_array(tile.name, tile.type.value_or(kernel.inputs), shape));
    }
    return arrays;
}

// The boxes of its tensor maps of A and B.
std::vector<Array> boxed_arrays(const Launch& launch, const KernelInfo& kernel) {
    const KernelParameters p = parameters_of(launch);
    const CapturedLaunch launched = capture_launch(*kernel.file, p.tile, p.pad, p.m, p.n, p.k);
    std::vector<Array> arrays;
    std::uint64_t stage_bytes = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const CapturedMap& map = launched.maps[i];
        stage_bytes +=
            std::uint64_t(map.box_rows) * std::uint64_t(map.box_columns) * bytes_of(map.type);
    }
    const auto stages = static_cast<std::uint32_t>(launched.dynamic_shared_bytes / stage_bytes);
    for (std::size_t i = 0; i < 2; ++i) {
        const CapturedMap& map = launched.maps[i];
        Array::Shape shape{.extents = {static_cast<std::uint32_t>(map.box_rows),
                                       static_cast<std::uint32_t>(map.box_columns)}};
        if (stages > 1) shape.extents.insert(shape.extents.begin(), stages);
        arrays.push_back(shared_array(i == 0 ? "As" : "Bs", map.type, shape));
    }
    return arrays;
}

bool has_dynamic_tiles(const RequestedLaunch& requested) {
    const KernelInfo& kernel = *requested.kernel;
    return requested.shape.dynamic_shared_bytes != 0 &&
           (kernel.boxes || !kernel.shared_rules->tiles.empty());
}

Array matrix(const char* name, std::uint32_t rows, std::uint32_t columns, InputType type) {
    Array array{.name = name, .rows = rows, .columns = columns, .leading_dimension = columns};
    if (type == InputType::kFloat32) return array;
    array.type = element_type_of(type);
    array.type_name = cuda_name(type);
    array.element_bytes = static_cast<std::uint32_t>(bytes_of(type));
    return array;
}

// If a statement has a line break after its "=", the GPU's recording names the line of the access,
// and the CPU's the first line. Both get the first line.
std::uint32_t first_line_of_statement(std::string_view source, std::uint32_t line) {
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at < source.size() && lines.size() < line;) {
        const std::size_t end = std::min(source.find('\n', at), source.size());
        std::string_view text = source.substr(at, end - at);
        text = text.substr(0, text.find("//"));
        text = text.substr(0, text.find_last_not_of(' ') + 1);
        lines.push_back(text);
        at = end + 1;
    }
    while (line > 1 && lines.size() >= line && lines[line - 2].ends_with('=')) --line;
    return line;
}

}  // namespace

std::vector<Array> dynamic_shared_arrays(const Launch& launch, const RequestedLaunch& requested) {
    if (!has_dynamic_tiles(requested)) return {};
    const KernelInfo& kernel = *requested.kernel;
    std::vector<Array> arrays = kernel.shared_rules->tiles.empty() ? boxed_arrays(launch, kernel)
                                                                   : listed_arrays(launch, kernel);
    std::uint32_t at = 0;
    for (Array& array : arrays) {
        array.base_bytes = at;
        at += static_cast<std::uint32_t>(array.size_bytes());
    }
    return arrays;
}

std::vector<Array> ladder_matrices(const Launch& launch, InputType inputs) {
    return {matrix("A", launch.m, launch.k, inputs), matrix("B", launch.k, launch.n, inputs),
            matrix("C", launch.m, launch.n, InputType::kFloat32)};
}

Array declared_array(const RequestedLaunch& requested, const Launch& launch,
                     const DeclaredArray& declared, std::uint32_t base_bytes) {
    Array array = shared_array(declared.name, declared.type, {.extents = declared.extents});
    array.base_bytes = base_bytes;
    array.columns -= padding_of(requested, launch, array.name);
    return array;
}

std::vector<float> with_padded_rows(const std::vector<float>& matrix, std::size_t rows,
                                    std::size_t columns, std::size_t pitch) {
    std::vector<float> padded(rows * pitch);
    for (std::size_t row = 0; row < rows; ++row)
        std::copy_n(matrix.begin() + static_cast<std::ptrdiff_t>(row * columns), columns,
                    padded.begin() + static_cast<std::ptrdiff_t>(row * pitch));
    return padded;
}

void set_leading_dimension(std::uint64_t bytes, std::span<const std::byte> content, Array& matrix) {
    if (bytes == matrix.size_bytes()) return;
    matrix.leading_dimension =
        static_cast<std::uint32_t>(bytes / matrix.rows / matrix.element_bytes);
    matrix.first_bytes.assign(content.begin(), content.end());
    matrix.last_bytes = matrix.first_bytes;
}

Site ladder_site(Site site, std::string_view source) {
    site.line = first_line_of_statement(source, site.line);
    site.column = 0;
    site.file = 0;
    return site;
}

namespace {

// Converts the columns of a trace in place: drops some records and renumbers the sites of the
// others.
class LadderConverter {
  public:
    LadderConverter(Trace& trace, const RequestedLaunch& requested, const Inputs& inputs)
        : trace_(trace) {
        const Launch& launch = trace.launch;
        arrays_ = ladder_matrices(launch, requested.kernel->inputs);
        const bool has_dynamic = has_dynamic_tiles(requested);
        for (Array& array : dynamic_shared_arrays(launch, requested))
            arrays_.push_back(std::move(array));
        for (const Array& array : trace.arrays) {
            ArrayId number = kNoArray;
            if (array.space == Space::kGlobal) {
                const auto name = std::ranges::find(kMatrices, array.name);
                if (name != std::end(kMatrices)) {
                    number = static_cast<ArrayId>(name - std::begin(kMatrices));
                    if (number != kMatrixC)
                        set_pitch(array.size_bytes(), number == 0 ? inputs.a : inputs.b,
                                  requested.kernel->inputs, arrays_[number]);
                }
            } else if (array.space == Space::kShared && has_dynamic) {
                number = kDynamicArray;
                dynamic_begin_ = array.base_bytes;
            } else if (array.space == Space::kShared) {
                number = static_cast<ArrayId>(arrays_.size());
                arrays_.push_back(array);
                arrays_.back().columns -= padding_of(requested, launch, array.name);
            }
            numbers_.push_back(number);
        }
    }

    Status run() {
        if (!std::ranges::all_of(trace_.sites, [&](const Site& site) { return stays(site); }))
            drop_records();
        TRY(number_sites());
        trace_.sites = std::move(sites_);
        trace_.arrays = std::move(arrays_);
        return Done{};
    }

  private:
    // The launch has copied the matrix to padded rows, if it occupies more bytes.
    static void set_pitch(std::uint64_t bytes, const std::vector<float>& values, InputType type,
                          Array& matrix) {
        if (bytes <= matrix.size_bytes()) return;
        const std::uint64_t pitch = bytes / matrix.element_bytes / matrix.rows;
        const std::vector<float> padded =
            with_padded_rows(values, matrix.rows, matrix.columns, pitch);
        set_leading_dimension(bytes, bytes_of(type, padded), matrix);
    }

    static constexpr ArrayId kMatrixC = 2;
    static constexpr ArrayId kDynamicArray = 0xfffd;  // one of the arrays of dynamic shared memory

    // The ladder shows no assignments to locals and no accesses of constant memory.
    [[nodiscard]] bool stays(const Site& site) const {
        if (site.operation == Operation::kAssign) return false;
        return site.array == kNoArray || trace_.arrays[site.array].space != Space::kConstant;
    }
    // Drops the records that do not stay, their values, and segments that become empty. The only
    // segment of a block stays.
    void drop_records() {
        Segments& all = trace_.segments;
        const Segments old = all;
        std::size_t segments = 0;
        records_ = words_ = 0;
        for (std::size_t i = 0; i < old.size(); ++i) {
            const std::size_t records = records_, words = words_;
            drop_records_of(old, i);
            const bool only_of_block = (i == 0 || old.block[i] != old.block[i - 1]) &&
                                       (i + 1 == old.size() || old.block[i] != old.block[i + 1]);
            if (records_ == records && !only_of_block) continue;
            all.block[segments] = old.block[i];
            all.epoch[segments] = old.epoch[i];
            all.warp[segments] = old.warp[i];
            all.record_begin[segments] = records;
            all.value_begin[segments++] = words;
        }
        all.block.resize(segments);
        all.epoch.resize(segments);
        all.warp.resize(segments);
        all.record_begin.resize(segments + 1);
        all.value_begin.resize(segments + 1);
        all.record_begin[segments] = records_;
        all.value_begin[segments] = words_;
        trace_.records.site.resize(records_);
        trace_.records.pattern.resize(records_);
        trace_.records.base.resize(records_);
        if (!trace_.records.clock.empty()) trace_.records.clock.resize(records_);
        trace_.words.resize(words_);
    }
    void drop_records_of(const Segments& old, std::size_t segment) {
        Records& all = trace_.records;
        std::uint64_t word = old.value_begin[segment];
        for (std::uint64_t record = old.record_begin[segment];
             record < old.record_begin[segment + 1]; ++record) {
            const std::size_t count = has_values(trace_, record) ? value_count(trace_, record) : 0;
            if (stays(site_at(trace_, record))) {
                all.site[records_] = all.site[record];
                all.pattern[records_] = all.pattern[record];
                all.base[records_] = all.base[record];
                if (!all.clock.empty()) all.clock[records_] = all.clock[record];
                ++records_;
                std::copy_n(trace_.words.begin() + static_cast<std::ptrdiff_t>(word), count,
                            trace_.words.begin() + static_cast<std::ptrdiff_t>(words_));
                words_ += count;
            }
            word += count;
        }
    }
    // Numbers the sites in the order of their first execution, as in any trace.
    Status number_sites() {
        new_sites_.assign(trace_.sites.size(), {});
        if (std::ranges::find(numbers_, kDynamicArray) != numbers_.end())
            return number_sites_by_records();
        bool has_changed = false;
        for (std::size_t i = 0; i < trace_.sites.size(); ++i) {
            if (!stays(trace_.sites[i])) continue;
            const auto before = static_cast<SiteId>(i);
            const Status found = find_site(before, 0, new_sites_[i]);
            if (!found) return found;
            has_changed = has_changed || new_sites_[i].site != before;
        }
        if (!has_changed) return Done{};
        for (std::uint16_t& site : trace_.records.site) {
            const std::uint16_t flag = site & Records::kHasValues;
            site = static_cast<std::uint16_t>(new_sites_[site ^ flag].site | flag);
        }
        return Done{};
    }
    // The records of a site can belong to several dynamic tiles, and each tile gives another site.
    Status number_sites_by_records() {
        for (std::size_t i = 0; i < trace_.records.size(); ++i) {
            const SiteId before = site_of(trace_, i);
            std::uint32_t& base = trace_.records.base[i];
            const ArrayId array = trace_.sites[before].array;
            if (array != kNoArray && numbers_[array] == kDynamicArray) base -= dynamic_begin_;
            NewSite& known = new_sites_[before];
            if (base - known.begin >= known.bytes) {
                const Status found = find_site(before, base, known);
                if (!found) return found;
            }
            trace_.records.site[i] = static_cast<std::uint16_t>(
                known.site | (trace_.records.site[i] & Records::kHasValues));
        }
        return Done{};
    }
    // The new number of a site, for records whose base lies in [begin, begin + bytes): the range of
    // a dynamic tile, or all.
    struct NewSite {
        SiteId site = 0;
        std::uint64_t begin = 0, bytes = 0;
    };
    Status find_site(SiteId before, std::uint32_t base, NewSite& found) {
        Site site = trace_.sites[before];
        found = {.begin = 0, .bytes = std::uint64_t{1} << 32};
        if (site.array != kNoArray) {
            site.array = numbers_[site.array];
            if (site.array == kDynamicArray) {
                site.array = dynamic_array_at(base);
                if (site.array != kNoArray)
                    found = {.begin = arrays_[site.array].base_bytes,
                             .bytes = arrays_[site.array].size_bytes()};
            }
            if (site.array == kNoArray)
                return failed("accesses an array other than A, B, C and its shared arrays");
        }
        site.local = kNoLocal;
        site.column = 0;
        const auto same = [&](const Site& other) {
            return other.line == site.line && other.array == site.array &&
                   other.operation == site.operation && other.width_bytes == site.width_bytes &&
                   other.variety == site.variety;
        };
        const auto place = std::ranges::find_if(sites_, same);
        found.site = static_cast<SiteId>(place - sites_.begin());
        if (place == sites_.end()) sites_.push_back(site);
        return Done{};
    }
    [[nodiscard]] ArrayId dynamic_array_at(std::uint32_t base) const {
        for (std::size_t i = std::size(kMatrices); i < arrays_.size(); ++i)
            if (base >= arrays_[i].base_bytes &&
                base < arrays_[i].base_bytes + arrays_[i].size_bytes())
                return static_cast<ArrayId>(i);
        return kNoArray;
    }

    Trace& trace_;
    std::vector<Array> arrays_;
    std::vector<ArrayId> numbers_;         // by array of the program
    std::uint32_t dynamic_begin_ = 0;      // where dynamic shared memory begins
    std::size_t records_ = 0, words_ = 0;  // kept so far
    std::vector<Site> sites_;
    std::vector<NewSite> new_sites_;  // by site of the program
};

}  // namespace

void finish_ladder_trace(Trace& trace, const RequestedLaunch& requested,
                         const RecordRequest& request, const Inputs& inputs,
                         const std::vector<float>& c) {
    trace.source_name = requested.kernel->file_name;
    trace.source = requested.kernel->source;
    trace.product = MatrixProduct{};
    const KernelParameters& p = request.parameters;
    for (const auto& [which, values] : {std::pair(MatrixRole::kA, &inputs.a),
                                        {MatrixRole::kB, &inputs.b},
                                        {MatrixRole::kFirstC, &inputs.c},
                                        {MatrixRole::kC, &c}}) {
        Array& array = trace.arrays[array_of(*trace.product, which)];
        // The launch has copied a matrix with padded rows: set_leading_dimension().
        if (is_dense_float(array))
            set_matrix(trace, which, *values);
        else if (array.type == ElementType::kBfloat16)
            array.first_bytes = bytes_of(InputType::kBfloat16, *values);
    }
    trace.wrong_elements =
        judged_elements(trace)
            ? wrong_product_elements(trace).size()
            : wrong_elements(inputs.a, inputs.b, c, p.m, p.n, p.k, request.workers).size();
}

Result<Trace> as_ladder_trace(Trace trace, const RequestedLaunch& requested,
                              const RecordRequest& request, const Inputs& inputs,
                              const std::vector<float>& c) {
    Launch launch = traced_launch(requested, request);
    if (trace.launch.grid != launch.grid || trace.launch.block != launch.block)
        return failed("was launched with another grid or block than its launch function gives");
    launch.shared_bytes = trace.launch.shared_bytes;
    trace.launch = std::move(launch);
    LadderConverter converter(trace, requested, inputs);
    TRY(converter.run());
    trace.more_sources.clear();
    trace.locals.clear();
    trace.findings.clear();
    trace.output.clear();
    finish_ladder_trace(trace, requested, request, inputs, c);
    return trace;
}

}  // namespace tilereel

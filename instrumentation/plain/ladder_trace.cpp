#include "instrumentation/plain/ladder_trace.h"

#include <algorithm>
#include <map>
#include <utility>

#include "kernels/plain_kernel.h"

namespace tilereel::plain {
namespace {

constexpr const char* kMatrices[] = {"A", "B", "C"};  // ArrayId order of the ladder's traces

// Whether the kernel's text gives the array's rows PAD elements more: "As[TILE][TILE + PAD]".
bool has_padded_rows(std::string_view source, const std::string& array) {
    const std::size_t at = source.find("__shared__ float " + array + "[");
    if (at == std::string_view::npos) return false;
    const std::string_view declaration = source.substr(at, source.find(';', at) - at);
    return declaration.find("+ PAD]") != std::string_view::npos;
}

// The tiles that a kernel carves out of its dynamic shared memory, As and Bs, without a gap.
struct CarvedTile {
    const char* name;
    std::uint32_t stages, rows, columns;
};

std::vector<CarvedTile> carved_tiles(const Launch& launch, const RequestedLaunch& requested) {
    const std::uint32_t tile = launch.tile;
    if (requested.kernel->id == "06_single_block")
        return {{"As", 1, launch.m, launch.k}, {"Bs", 1, launch.k, launch.n}};
    if (!requested.kernel->boxes) return {{"As", 1, tile, tile}, {"Bs", 1, tile, tile}};
    const auto columns = static_cast<std::uint32_t>(requested.shape.tile_columns);
    const bool large = tile == 256;  // ChampionTile in 20_champion.cu
    const std::uint32_t stages = large ? 4 : 3, depth = large ? 32 : 8;
    return {{"As", stages, tile, depth}, {"Bs", stages, depth, columns}};
}

std::vector<Array> carved_arrays(const Launch& launch, const RequestedLaunch& requested) {
    std::vector<Array> arrays;
    std::uint32_t at = 0;
    for (const CarvedTile& tile : carved_tiles(launch, requested)) {
        Array& array = arrays.emplace_back(Array{.name = tile.name,
                                                 .space = Space::kShared,
                                                 .rows = tile.stages * tile.rows,
                                                 .columns = tile.columns,
                                                 .leading_dimension = tile.columns + launch.pad,
                                                 .base_bytes = at});
        if (tile.stages > 1) array.outer_extents = {tile.stages};
        at += static_cast<std::uint32_t>(array.size_bytes());
    }
    return arrays;
}

Array matrix(const char* name, std::uint32_t rows, std::uint32_t columns) {
    return {.name = name, .rows = rows, .columns = columns, .leading_dimension = columns};
}

// Of a statement that goes on behind its "=", the GPU's recording names the line where the access
// is written, the CPU's the one where the statement begins: both get that one.
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

// Rewrites the columns of a trace record by record: some records go, others get another site.
class Converter {
  public:
    Converter(Trace& trace, const RequestedLaunch& requested) : trace_(trace) {
        if (trace.recorded_by.recorder == "gpu")
            for (Site& site : trace_.sites)
                site.line = first_line_of_statement(requested.kernel->plain_source, site.line);
        const Launch& launch = trace.launch;
        arrays_ = {matrix("A", launch.m, launch.k), matrix("B", launch.k, launch.n),
                   matrix("C", launch.m, launch.n)};
        // What a file that the dialect lacks does with its dynamic shared memory is not known.
        const PlainKernel* const plain = requested.kernel->plain;
        const bool carves =
            requested.shape.dynamic_shared_bytes != 0 && (plain == nullptr || plain->in_dialect);
        if (carves)
            for (Array& array : carved_arrays(launch, requested))
                arrays_.push_back(std::move(array));
        for (const Array& array : trace.arrays) {
            ArrayId number = kNoArray;
            if (array.space == Space::kGlobal) {
                const auto name = std::ranges::find(kMatrices, array.name);
                if (name != std::end(kMatrices)) {
                    number = static_cast<ArrayId>(name - std::begin(kMatrices));
                    take_pitch(array, arrays_[number]);
                }
            } else if (array.space == Space::kShared && carves) {
                number = kCarved;
                carved_from_ = array.base_bytes;
            } else if (array.space == Space::kShared) {
                number = static_cast<ArrayId>(arrays_.size());
                arrays_.push_back(array);
                if (has_padded_rows(requested.kernel->plain_source, array.name))
                    arrays_.back().columns -= launch.pad;
            }
            numbers_.push_back(number);
        }
    }

    Status run() {
        const Segments& old = trace_.segments;
        for (std::size_t i = 0; i < old.size(); ++i) {
            const std::size_t records = records_.size(), words = words_.size();
            if (const Status copied = copy_records(i); !copied) return copied;
            // A block that did nothing has one segment without a record.
            const bool only_of_block = (i == 0 || old.block[i] != old.block[i - 1]) &&
                                       (i + 1 == old.size() || old.block[i] != old.block[i + 1]);
            if (records_.size() == records && !only_of_block) continue;
            segments_.block.push_back(old.block[i]);
            segments_.epoch.push_back(old.epoch[i]);
            segments_.warp.push_back(old.warp[i]);
            segments_.record_begin.push_back(records);
            segments_.value_begin.push_back(words);
        }
        segments_.record_begin.push_back(records_.size());
        segments_.value_begin.push_back(words_.size());
        trace_.segments = std::move(segments_);
        trace_.records = std::move(records_);
        trace_.words = std::move(words_);
        trace_.sites = std::move(sites_);
        trace_.arrays = std::move(arrays_);
        return Done{};
    }

  private:
    static constexpr ArrayId kCarved = 0xfffd;  // one of the arrays of dynamic shared memory

    // Of a matrix whose rows the launch has copied to multiples of 16 bytes (20 champion).
    static void take_pitch(const Array& recorded, Array& matrix) {
        if (recorded.size_bytes() == matrix.size_bytes()) return;
        matrix.leading_dimension =
            static_cast<std::uint32_t>(recorded.size_bytes() / matrix.rows / matrix.element_bytes);
        matrix.first_bytes = recorded.first_bytes;
        matrix.last_bytes = recorded.last_bytes;
    }
    // Those of a segment that stay, with their values.
    Status copy_records(std::size_t segment) {
        const Segments& old = trace_.segments;
        std::uint64_t word = old.value_begin[segment];
        for (std::uint64_t record = old.record_begin[segment];
             record < old.record_begin[segment + 1]; ++record) {
            const std::size_t count = has_values(trace_, record) ? value_count(trace_, record) : 0;
            const auto values = trace_.words.begin() + static_cast<std::ptrdiff_t>(word);
            word += count;
            const SiteId before = site_of(trace_, record);
            if (!stays(before)) continue;
            std::uint32_t base = trace_.records.base[record];
            if (is_carved(before)) base -= carved_from_;
            const Result<SiteId> site = site_for(before, base);
            if (!site) return site.error();
            records_.site.push_back(
                static_cast<std::uint16_t>(*site | (count != 0 ? Records::kHasValues : 0)));
            records_.pattern.push_back(trace_.records.pattern[record]);
            records_.base.push_back(base);
            if (!trace_.records.clock.empty())
                records_.clock.push_back(trace_.records.clock[record]);
            words_.insert(words_.end(), values, values + static_cast<std::ptrdiff_t>(count));
        }
        return Done{};
    }
    // What a thread keeps in its locals, and reads of constant memory, the ladder does not show.
    [[nodiscard]] bool stays(SiteId id) const {
        const Site& site = trace_.sites[id];
        if (site.operation == Operation::kAssign) return false;
        return site.array == kNoArray || trace_.arrays[site.array].space != Space::kConstant;
    }
    [[nodiscard]] bool is_carved(SiteId id) const {
        const ArrayId array = trace_.sites[id].array;
        return array != kNoArray && numbers_[array] == kCarved;
    }
    Result<SiteId> site_for(SiteId before, std::uint32_t base) {
        Site site = trace_.sites[before];
        if (site.array != kNoArray) {
            site.array = numbers_[site.array];
            if (site.array == kCarved) site.array = carved_at(base);
            if (site.array == kNoArray) return failed("accesses an array that it should not have");
        }
        site.local = kNoLocal;
        site.column = 0;
        // By what the emulator tells sites apart, in the order of their first execution.
        const auto key =
            std::tuple(site.line, site.array, site.operation, site.width_bytes, site.variety);
        const auto [entry, fresh] = known_.try_emplace(key, static_cast<SiteId>(sites_.size()));
        if (fresh) sites_.push_back(site);
        return entry->second;
    }
    [[nodiscard]] ArrayId carved_at(std::uint32_t base) const {
        for (std::size_t i = std::size(kMatrices); i < arrays_.size(); ++i)
            if (base >= arrays_[i].base_bytes &&
                base < arrays_[i].base_bytes + arrays_[i].size_bytes())
                return static_cast<ArrayId>(i);
        return kNoArray;
    }

    Trace& trace_;
    std::vector<Array> arrays_;
    std::vector<ArrayId> numbers_;   // by array of the program
    std::uint32_t carved_from_ = 0;  // where dynamic shared memory begins
    Segments segments_;
    Records records_;
    std::vector<std::uint32_t> words_;
    std::vector<Site> sites_;
    std::map<std::tuple<std::uint32_t, ArrayId, Operation, std::uint8_t, std::uint8_t>, SiteId>
        known_;
};

}  // namespace

Result<Trace> as_ladder_trace(Trace trace, const RequestedLaunch& requested,
                              const RecordRequest& request, Inputs inputs, std::vector<float> c) {
    Launch launch = traced_launch(requested, request);
    if (trace.launch.grid != launch.grid || trace.launch.block != launch.block)
        return failed("was launched with another grid or block than its rule says");
    launch.shared_bytes = trace.launch.shared_bytes;
    trace.launch = std::move(launch);
    Converter converter(trace, requested);
    if (const Status converted = converter.run(); !converted) return converted.error();
    trace.source_name = requested.kernel->plain_file_name;
    trace.source = requested.kernel->plain_source;
    trace.more_sources.clear();
    trace.locals.clear();
    trace.findings.clear();
    trace.output.clear();
    trace.product = MatrixProduct{};
    const KernelParameters& p = request.parameters;
    trace.wrong_elements = wrong_elements(inputs.a, inputs.b, c, p.m, p.n, p.k).size();
    trace.a = std::move(inputs.a);
    trace.b = std::move(inputs.b);
    trace.c_before = std::move(inputs.c);
    trace.c = std::move(c);
    return trace;
}

}  // namespace tilereel::plain

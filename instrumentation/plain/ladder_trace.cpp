#include "instrumentation/plain/ladder_trace.h"

#include <algorithm>
#include <map>
#include <utility>

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
std::vector<Array> carved_arrays(const Launch& launch, std::string_view kernel) {
    const bool whole = kernel == "06_single_block";  // As: M x K, Bs: K x N; else TILE x TILE
    const std::uint32_t tile = launch.tile;
    std::vector<Array> arrays;
    std::uint32_t at = 0;
    for (const auto& [name, rows, columns] :
         {std::tuple{"As", whole ? launch.m : tile, whole ? launch.k : tile},
          std::tuple{"Bs", whole ? launch.k : tile, whole ? launch.n : tile}}) {
        arrays.push_back({.name = name,
                          .space = Space::kShared,
                          .rows = rows,
                          .columns = columns,
                          .leading_dimension = columns + launch.pad,
                          .base_bytes = at});
        at += static_cast<std::uint32_t>(arrays.back().size_bytes());
    }
    return arrays;
}

Array matrix(const char* name, std::uint32_t rows, std::uint32_t columns) {
    return {.name = name, .rows = rows, .columns = columns, .leading_dimension = columns};
}

// Rewrites the columns of a trace record by record: some records go, others get another site.
class Converter {
  public:
    Converter(Trace& trace, const RequestedLaunch& requested) : trace_(trace) {
        const Launch& launch = trace.launch;
        arrays_ = {matrix("A", launch.m, launch.k), matrix("B", launch.k, launch.n),
                   matrix("C", launch.m, launch.n)};
        const bool carves = requested.shape.dynamic_shared_bytes != 0;
        if (carves)
            for (Array& array : carved_arrays(launch, requested.kernel->id))
                arrays_.push_back(std::move(array));
        for (const Array& array : trace.arrays) {
            ArrayId number = kNoArray;
            if (array.space == Space::kGlobal) {
                const auto name = std::ranges::find(kMatrices, array.name);
                if (name != std::end(kMatrices))
                    number = static_cast<ArrayId>(name - std::begin(kMatrices));
            } else if (array.space == Space::kShared && carves) {
                number = kCarved;
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
            const Result<SiteId> site = site_for(before, trace_.records.base[record]);
            if (!site) return site.error();
            records_.site.push_back(
                static_cast<std::uint16_t>(*site | (count != 0 ? Records::kHasValues : 0)));
            records_.pattern.push_back(trace_.records.pattern[record]);
            records_.base.push_back(trace_.records.base[record]);
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
    std::vector<ArrayId> numbers_;  // by array of the program
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

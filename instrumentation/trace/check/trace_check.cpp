#include "instrumentation/trace/check/trace_check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string_view>

#include "instrumentation/base/wait_functions.h"
#include "instrumentation/trace/fragments/warpgroup_reads.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kLargestExtent = 1u << 20;       // of M, N or K
constexpr std::uint32_t kMostThreads = 1024;             // a block, on every GPU
constexpr std::uint32_t kMostAccumulators = 1u << 16;    // a thread
constexpr std::uint64_t kMostBlocks = 0x7fffffff;        // a grid
constexpr std::uint32_t kLargestSharedBytes = 1u << 20;  // a block; GPUs have up to 228 KiB
constexpr std::uint64_t kLargestArrayBytes = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kLargestElementBytes = 1u << 16;  // of a struct
constexpr std::size_t kMostSites = Records::kHasValues;
constexpr std::size_t kLongestName = 200;  // bytes; code that shows names does not shorten them

bool fits(const Dim3& extents, std::uint64_t most) {
    // Each extent is bounded before the product is computed, so that it cannot overflow.
    const std::uint64_t each[] = {extents.x, extents.y, extents.z};
    std::uint64_t count = 1;
    for (const std::uint64_t extent : each) {
        if (extent == 0 || extent > most) return false;
        count *= extent;
        if (count > most) return false;
    }
    return true;
}

Status check_names(const Trace& trace) {
    const auto fits = [](const std::string& name) { return name.size() <= kLongestName; };
    const RecordedBy& by = trace.recorded_by;
    const bool all = fits(trace.launch.kernel) && fits(trace.source_name) && fits(by.recorder) &&
                     fits(by.device) && fits(by.driver) &&
                     std::ranges::all_of(trace.arrays, fits, &Array::name);
    if (all) return Done{};
    return failed("it has a name of more than " + std::to_string(kLongestName) + " letters");
}

Status check_launch(const Trace& trace) {
    const Launch& launch = trace.launch;
    for (const std::uint32_t extent : {launch.m, launch.n, launch.k})
        if (extent > kLargestExtent || (extent == 0) == trace.product.has_value())
            return failed("it has a matrix of an impossible size");
    if (!fits(launch.grid, kMostBlocks)) return failed("it has an impossible grid");
    if (!fits(launch.block, kMostThreads)) return failed("it has an impossible block");
    const Dim3 &grid = launch.grid, &cluster = launch.cluster;
    if (!fits(cluster, kMostBlocks) || grid.x % cluster.x != 0 || grid.y % cluster.y != 0 ||
        grid.z % cluster.z != 0)
        return failed("it has clusters of which its grid is no multiple");
    if (launch.shared_bytes > kLargestSharedBytes)
        return failed("it has more shared memory than a block can have");
    if (launch.tile > kMostThreads || launch.pad > kMostThreads)
        return failed("it has an impossible TILE or PAD");
    if (trace.accumulators == 0 || trace.accumulators > kMostAccumulators ||
        trace.accumulator_interval == 0)
        return failed("it has an impossible number of accumulators");
    return Done{};
}

// A left-out barrier has no records. Only a launch that leaves out a barrier names an order of
// threads.
Status check_removed_barrier(const Trace& trace) {
    const Launch& launch = trace.launch;
    if (launch.order > ThreadOrder::kLanes ||
        (launch.order != ThreadOrder::kRoundRobin && launch.removed_barrier == 0))
        return failed("it has an impossible order of threads");
    if (launch.removed_barrier == 0) return Done{};
    const std::string_view line = source_line(trace, launch.removed_barrier);
    // "__sync": "__syncthreads_count(" and similar calls.
    if (wait_function_in(line) == nullptr && line.find("__sync") == std::string_view::npos)
        return failed("it says that a barrier was left out on a line of its source that has none");
    for (const Site& site : trace.sites)
        if (site.line == launch.removed_barrier && facts_of(site.operation).waits)
            return failed("it has a barrier where it says that there was none");
    return Done{};
}

// Whether the planes of the outer extents divide the rows evenly.
bool planes_fit(const Array& array) {
    std::uint64_t planes = 1;
    for (const std::uint32_t extent : array.outer_extents) {
        planes *= extent;
        if (planes == 0 || planes > array.rows) return false;
    }
    return array.rows % planes == 0;
}

// Whether the components lie one after another within the element. If the element's type is
// known, each component is one value of it.
bool components_fit(const Array& array) {
    if (array.components.size() > kMostComponents) return false;
    std::uint64_t end = 0;
    for (const Component& component : array.components) {
        if (component.type > kLastElementType || component.bytes == 0 ||
            component.bytes % type_bytes(component.type) != 0 || component.offset_bytes < end)
            return false;
        end = std::uint64_t{component.offset_bytes} + component.bytes;
        const std::uint32_t value = type_bytes(array.type);
        if (array.type != ElementType::kBytes &&
            (type_bytes(component.type) != value || component.bytes != value ||
             component.offset_bytes % value != 0))
            return false;
    }
    return end <= array.element_bytes;
}

Status check_array(const Array& array, const Launch& launch) {
    std::uint64_t bytes = 0;
    const std::uint32_t length = array.by_columns ? array.rows : array.columns;
    const std::uint32_t count = array.by_columns ? array.columns : array.rows;
    if (array.rows == 0 || array.columns == 0 || array.leading_dimension < length ||
        array.element_bytes == 0 || array.element_bytes > kLargestElementBytes ||
        __builtin_mul_overflow(std::uint64_t{count} * array.leading_dimension,
                               std::uint64_t{array.element_bytes}, &bytes) ||
        bytes > kLargestArrayBytes)
        return failed("it has an array of an impossible size");
    if (array.by_columns &&
        (array.one_extent || !array.outer_extents.empty() || array.space != Space::kGlobal))
        return failed("it has an array by columns that is no matrix in global memory");
    if (!planes_fit(array)) return failed("it has an array whose extents do not give its rows");
    if (array.type > kLastElementType || !is_space_of_array(array.space))
        return failed("it has an array of a type or space that does not exist");
    if (array.element_bytes % type_bytes(array.type) != 0)
        return failed("it has an array whose elements do not fit their type");
    if (!components_fit(array))
        return failed("it has an array whose components do not fit its elements");
    if (array.space != Space::kShared && array.base_bytes != 0)
        return failed("it has a global array that does not begin at 0");
    for (const auto* content : {&array.first_bytes, &array.last_bytes})
        if (!content->empty() && content->size() != bytes)
            return failed("it has an array whose content does not have its size");
    if (array.space == Space::kShared && array.base_bytes + bytes > launch.shared_bytes)
        return failed("it has an array beyond the block's shared memory");
    return Done{};
}

// The three matrices of a product must fit its M, N and K. A and B must be finite.
Status check_product(const Trace& trace) {
    if (!trace.product) return Done{};
    const Launch& launch = trace.launch;
    const ArrayId ids[3] = {trace.product->a, trace.product->b, trace.product->c};
    const std::uint32_t shapes[3][2] = {
        {launch.m, launch.k}, {launch.k, launch.n}, {launch.m, launch.n}};
    for (std::size_t i = 0; i < 3; ++i) {
        const Array* array = ids[i] < trace.arrays.size() ? &trace.arrays[ids[i]] : nullptr;
        if (array == nullptr || array->space != Space::kGlobal ||
            array->type == ElementType::kBytes || array->element_bytes != type_bytes(array->type) ||
            array->rows != shapes[i][0] || array->columns != shapes[i][1])
            return failed("its matrices do not have the sizes of its launch");
        if ((i == 2 ? array->last_bytes : array->first_bytes).empty())
            return failed("one of its matrices lacks its content");
    }
    if (!std::isfinite(trace.product->alpha) || !std::isfinite(trace.product->beta))
        return failed("its product has a factor that is not a finite number");
    if (trace.wrong_elements.value_or(0) > matrix_of(trace, MatrixRole::kC).size())
        return failed("it has more wrong elements than C has elements");
    const auto finite = [](float value) { return std::isfinite(value); };
    for (const MatrixRole input : {MatrixRole::kA, MatrixRole::kB})
        if (!std::ranges::all_of(matrix_of(trace, input).all(), finite))
            return failed("it has an input that is not a finite number");
    return Done{};
}

Status check_arrays(const Trace& trace) {
    for (const Array& array : trace.arrays) TRY(check_array(array, trace.launch));
    return check_product(trace);
}

std::ptrdiff_t line_count(const Trace& trace, std::uint16_t file) {
    return 1 + std::ranges::count(source_text(trace, file), '\n');
}

bool has_known_variety(const Site& site) {
    if (site.operation == Operation::kAtomic) return site.atomic() <= kLastAtomicKind;
    if (is_matrix_access(site.operation))
        return site.variety <= static_cast<std::uint8_t>(MatrixAccessKind::kTransposed) &&
               site.width_bytes == 16;
    if (site.operation == Operation::kExchange) return site.exchange() <= kLastExchangeKind;
    if (site.operation == Operation::kFence)
        return site.variety <= static_cast<std::uint8_t>(kLastFenceKind);
    if (site.operation == Operation::kBarrier)
        return site.variety <= static_cast<std::uint8_t>(kLastBarrierKind);
    if (site.operation == Operation::kArrive || site.operation == Operation::kStartBulkCopy ||
        site.operation == Operation::kCopyLoad)
        return site.variety <= static_cast<std::uint8_t>(kLastBlockOfCluster);
    if (site.operation == Operation::kMatrixProduct)
        return site.variety <= WarpgroupOperands::kLastVariety;
    return true;
}

Status check_sites(const Trace& trace) {
    if (trace.sites.size() > kMostSites) return failed("it has too many sites");
    std::vector<std::ptrdiff_t> lines;
    for (std::size_t file = 0; file <= trace.more_sources.size(); ++file)
        lines.push_back(line_count(trace, static_cast<std::uint16_t>(file)));
    for (const Site& site : trace.sites) {
        const bool access = is_access(site.operation);
        if (site.operation > kLastOperation)
            return failed("it has a site of an operation that does not exist");
        if (site.file >= lines.size() || site.line == 0 || site.line > lines[site.file])
            return failed("it has a site outside the lines of its source");
        if (site.operation == Operation::kMatrixProduct) {
            if (site.width_bytes == 0 || site.width_bytes % 4 != 0)
                return failed("it has a matrix product whose registers have no width");
        } else if (!std::has_single_bit(site.width_bytes) || site.width_bytes > 16)
            return failed("it has an access that is not 1, 2, 4, 8 or 16 bytes wide");
        if (!has_known_variety(site))
            return failed(
                "it has a site of an atomic, exchange, fence or matrix access that does not exist");
        if (site.local != kNoLocal && site.local >= trace.locals.size())
            return failed("it has a site of a local that does not exist");
        if (access ? site.array >= trace.arrays.size()
                   : site.array != kNoArray && site.array >= trace.arrays.size())
            return failed("it has a site of an array that does not exist");
        if (is_copy(site.operation) &&
            is_shared_memory(trace.arrays[site.array].space) != writes(site.operation))
            return failed("it has a copy that does not go from global to shared memory");
    }
    return Done{};
}

Status check_choice_and_findings(const Trace& trace) {
    const std::vector<std::uint32_t>& blocks = trace.chosen_blocks;
    if (std::ranges::adjacent_find(blocks, std::greater_equal{}) != blocks.end() ||
        (!blocks.empty() && blocks.back() >= trace.launch.blocks()))
        return failed("its list of recorded blocks is not in order or goes beyond the grid");
    for (const RecordedFinding& finding : trace.findings)
        if (finding.kind > kLastRecordedFindingKind || finding.operation > kLastOperation ||
            finding.file > trace.more_sources.size() ||
            (finding.array != kNoArray && finding.array >= trace.arrays.size()))
            return failed("it has a finding of a kind, file or array that does not exist");
    return Done{};
}

Status check_warp_stops(const Trace& trace) {
    if (!trace.warp_stops) return Done{};
    const auto is_before = [](const WarpStop& a, const WarpStop& b) {
        return a.block < b.block || (a.block == b.block && a.warp < b.warp);
    };
    const std::vector<WarpStop>& stops = *trace.warp_stops;
    for (std::size_t i = 0; i < stops.size(); ++i)
        if (stops[i].block >= trace.launch.blocks() || stops[i].warp >= trace.launch.warps() ||
            stops[i].kind > kLastWarpStopKind || (i > 0 && !is_before(stops[i - 1], stops[i])))
            return failed(
                "its list of warps that were stopped is not in order, or goes beyond the grid");
    return Done{};
}

// Whether a byte continues a character of UTF-8.
bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

constexpr std::string_view kLeftOut = "...";

void keep_beginning(std::string& name) {
    if (name.size() <= kLongestName) return;
    std::size_t end = kLongestName - kLeftOut.size();
    while (end > 0 && continues(name[end])) --end;
    name.replace(end, std::string::npos, kLeftOut);
}

void keep_end(std::string& name) {
    if (name.size() <= kLongestName) return;
    std::size_t begin = name.size() - (kLongestName - kLeftOut.size());
    while (begin < name.size() && continues(name[begin])) ++begin;
    name.replace(0, begin, kLeftOut);
}

}  // namespace

Status check_tables(const Trace& trace) {
    TRY(check_names(trace));
    TRY(check_launch(trace));
    if (!trace.multiprocessors.empty() && trace.multiprocessors.size() != trace.launch.blocks())
        return failed("it does not name one multiprocessor for each block");
    TRY(check_arrays(trace));
    TRY(check_sites(trace));
    TRY(check_removed_barrier(trace));
    TRY(check_choice_and_findings(trace));
    TRY(check_warp_stops(trace));
    for (const Pattern& pattern : trace.patterns) {
        if (pattern.mask == 0) return failed("it has an address pattern without a lane");
        if (pattern.irregular != Pattern::kRegular &&
            pattern.irregular >= trace.irregular_offsets.size())
            return failed("it has an address pattern whose offsets are missing");
    }
    return Done{};
}

Status check_trace(const Trace& trace) {
    TRY(check_tables(trace));
    return check_records(trace);
}

void shorten_names(Trace& trace) {
    keep_beginning(trace.launch.kernel);
    keep_end(trace.source_name);
    RecordedBy& by = trace.recorded_by;
    for (std::string* const name : {&by.recorder, &by.device, &by.driver}) keep_beginning(*name);
    for (Array& array : trace.arrays) keep_beginning(array.name);
}

}  // namespace tilereel

#pragma once
// Command line options that several commands share, and the recording that they describe.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options/checked_option.h"
#include "app/ladder/record_request.h"
#include "app/subject/file_kind.h"
#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// --m --n --k --tile --pad --seed --a --b --c --memory-limit --workers --device --without-barrier
// --order
struct KernelOptions {
    std::optional<int> m, n, k, tile, pad;
    // Of a page: the further ones of --tile 8,16 and --pad 0,1. Only after `takes_lists`.
    std::vector<int> more_tiles{}, more_pads{};
    bool takes_lists = false;        // set before the options are added
    bool tile_by_occupancy = false;  // --tile auto: by the rules of `generation`
    const Generation* generation = &default_generation();
    std::optional<std::uint64_t> seed;
    std::string a, b, c;  // paths of .npy files
    std::optional<std::uint64_t> memory_limit_bytes;
    std::optional<int> workers;
    std::optional<Recorder> device;
    std::optional<int> without_barrier;  // source line
    std::optional<ThreadOrder> order;
    bool find_failing_order = false;  // --order adversarial
    // Column and row of a block that is recorded even if not all blocks fit into the memory limit.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> block{};
    [[nodiscard]] bool gives_sizes() const { return m || n || k || !a.empty() || !b.empty(); }
    [[nodiscard]] bool has_recording_option() const;  // needs a new recording
};
void add_size_options(CLI::App& app, KernelOptions& options);  // --m, --n, --k, --tile, --pad
void add_kernel_options(CLI::App& app, KernelOptions& options);
// --without-barrier LINE --order ORDER: two of the options above.
void add_removed_barrier_options(CLI::App& app, KernelOptions& options);

// --memory-limit SIZE
void add_memory_limit_option(CLI::App& app, std::optional<std::uint64_t>& bytes);

// kWrongCall with the list of kernels if `id` is unknown.
Result<const KernelInfo*> known_kernel(const std::string& id);

// The recording that the options describe. kWrongCall for an unknown kernel, sizes that it does not
// support, or matrices that do not match.
Result<RecordRequest> request_of(const std::string& kernel, const KernelOptions& options);

// --block X,Y: column and row of the block in the grid.
CLI::Option* add_block_option(CLI::App& app, std::uint32_t& x, std::uint32_t& y,
                              const std::string& description);

// --generation ID: the GPU whose rules the counts follow.
CLI::Option* add_generation_option(CLI::App& app, const Generation*& generation);

// KERNEL-OR-FILE: the id of a kernel, or the path of a trace or a CUDA file.
struct NamedSubject {
    std::string name;
    KernelOptions options;
};
void add_subject(CLI::App& app, NamedSubject& subject);
// Records the kernel or reads the trace file.
Result<Trace> obtain_trace(const NamedSubject& subject);
// Records on the requested device. If the CPU replaces a GPU, prints this to stderr.
Result<Trace> record_as_asked(const RecordRequest& request);
// What a name stands for: a kernel (nullopt) or a file of one of these kinds. Else kWrongCall.
Result<std::optional<FileKind>> kind_of_subject(const std::string& name,
                                                std::initializer_list<FileKind> kinds,
                                                const ProgramParts& parts = {});
// kWrongCall if an option is given that does not apply to a CUDA program: any except --device.
Status check_no_kernel_options(const std::string& program, const KernelOptions& options);

}  // namespace tilereel

#pragma once
// Command line options that several commands share, and how they become a recording.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/cli/checked_option.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/record/record.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// --m --n --k --tile --pad --seed --a --b --memory-limit --workers --device --without-barrier
// --order
struct KernelOptions {
    std::optional<int> m, n, k, tile, pad;
    bool tile_by_occupancy = false;  // --tile auto, by this generation's rules
    const Generation* generation = &default_generation();
    std::optional<std::uint64_t> seed;
    std::string a, b, c;  // paths of .npy files
    std::optional<std::uint64_t> memory_limit_bytes;
    std::optional<int> workers;
    std::optional<Recorder> device;
    std::optional<int> without_barrier;  // line
    std::optional<ThreadOrder> order;
    bool find_failing_order = false;
    [[nodiscard]] bool any_of_sizes() const { return m || n || k || !a.empty() || !b.empty(); }
    [[nodiscard]] bool any_of_recording() const;  // any that a recorded file has already settled
};
void add_kernel_options(CLI::App& app, KernelOptions& options);
// --without-barrier LINE --order ORDER: two of the options above.
void add_removed_barrier_options(CLI::App& app, KernelOptions& options);

// --memory-limit SIZE
void add_memory_limit_option(CLI::App& app, std::optional<std::uint64_t>& bytes);

// kWrongCall that names the kernels there are.
Result<const KernelInfo*> known_kernel(const std::string& id);

// The recording that the options ask for; kWrongCall for an unknown kernel, sizes it cannot do,
// matrices that do not fit together.
Result<RecordRequest> request_of(const std::string& kernel, const KernelOptions& options);

// --block X,Y: column and row in the grid.
void add_block_option(CLI::App& app, std::uint32_t& x, std::uint32_t& y,
                      const std::string& description);

// --generation ID: whose rules the counts follow.
void add_generation_option(CLI::App& app, const Generation*& generation);

// FILE|KERNEL: a kernel's id, else the path of a trace file.
struct Subject {
    std::string name;
    KernelOptions options;
};
void add_subject(CLI::App& app, Subject& subject);
// Records the kernel or reads the file.
Result<Trace> obtain_trace(const Subject& subject);
// Records on the device asked for; says on stderr where the CPU took a GPU's place.
Result<Trace> record_as_asked(const RecordRequest& request);
// kWrongCall unless it names a kernel or something on the disk.
Status check_subject(const Subject& subject);

}  // namespace tilereel

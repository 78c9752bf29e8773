#pragma once
// The kernel of the program that is open, as a contender of the next race.
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/own_kernel/prepare_own.h"
#include "app/own_kernel/race_process.h"
#include "app/race/race.h"
#include "instrumentation/program/program_run.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// How kernels of one's own are recognised, compiled and raced; tests pass fakes.
struct OwnTools {
    std::function<Result<OwnCall>(const Trace&)> recognise{};
    std::function<Result<PreparedOwn>(const OwnRequest&, const OwnWatch&)> prepare{};
    std::function<Status(const RaceRequest&, const RaceProcess&, const std::atomic<bool>&)> race{};
    std::function<std::string()> why_not{};  // what is missing on this computer; empty: nothing
};
[[nodiscard]] OwnTools usual_own_tools();

// The launch that is shown, of the program that is open.
struct OwnOffer {
    std::shared_ptr<const Trace> trace;
    program::ProgramRequest program;
    std::uint64_t recording = 0;  // Recording::id
};

struct OwnEntry {
    OwnOffer offer;
    bool recognising = true;           // the launch is being recognised
    std::string recognised{};          // the launch, as text_of(OwnCall); empty: `unclear`
    bool is_product = true;            // else it races alone, over n, by its bytes
    std::string unclear{};             // why the launch was not recognised
    bool can_be_said = true;           // the user can say how it is launched
    std::string typed{};               // the launch as the user wrote it; empty: `recognised`
    std::string values{};              // "TILE=8,16": a contender for each; empty: one contender
    std::vector<ProductSize> sizes{};  // of what is no product
    std::vector<program::CompileError> errors{};  // of the last attempt to compile it

    [[nodiscard]] const std::string& call() const { return typed.empty() ? recognised : typed; }
    [[nodiscard]] std::string file_name() const { return offer.program.file.filename().string(); }
    [[nodiscard]] OwnSource source() const;
    // One for each value; one without values, or if they cannot be read.
    [[nodiscard]] std::vector<Contender> contenders() const;
};

}  // namespace tilereel

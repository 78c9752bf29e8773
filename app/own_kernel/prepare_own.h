#pragma once
// From the user's program to a library that races: record, recognise the launch, run it on the CPU
// where its results cannot be computed otherwise, compile it by nvcc.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/own_kernel/own_build.h"
#include "app/own_kernel/own_call.h"
#include "app/own_kernel/own_source.h"
#include "instrumentation/program/program_run.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct OwnRequest {
    program::ProgramRequest program;  // how it is compiled, and whether it runs in a sandbox
    OwnSource source;
    std::string text{};        // the launch as the user wrote it (work_call.h); empty: recognised
    std::uint32_t launch = 0;  // the program's launch that races
    std::shared_ptr<const Trace> trace{};  // of that launch; null: the program is run for it
    std::vector<ProductSize> sizes{};      // to race at; empty: the usual ones
};

struct PreparedOwn {
    OwnCall call;
    OwnLibrary built;
};

struct OwnWatch {
    std::function<void(const std::string&)> tell{};  // what is being done: "compiling multiply.cu"
    const std::atomic<bool>* cancel = nullptr;
};

// `library`: where to write it; empty: in a folder that only this library is in, so that nobody
// else can replace it. kWrongCall: the user has to say how it is launched; kFailed, kCancelled.
[[nodiscard]] Result<PreparedOwn> prepare_own(const OwnRequest& request, const OwnWatch& watch,
                                              const std::filesystem::path& library = {});

}  // namespace tilereel

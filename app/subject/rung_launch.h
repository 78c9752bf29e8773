#pragma once
// The request to record the rung of a subject, and the subjects of requests.
#include "app/ladder/record_request.h"
#include "app/subject/subject.h"
#include "instrumentation/program/program_run.h"

namespace tilereel {

// `usual`: what a subject does not describe, such as the matrices and the number of workers. A file
// gives a request without a kernel.
[[nodiscard]] RecordRequest record_request(const Subject& subject, RecordRequest usual = {});
[[nodiscard]] Subject subject_of(const RecordRequest& request);
// The program's paths are made absolute. `launch`: the one that is shown.
[[nodiscard]] Subject subject_of(const program::ProgramRequest& request, std::uint32_t launch);
[[nodiscard]] std::filesystem::path absolute_path(const std::filesystem::path& file);

}  // namespace tilereel

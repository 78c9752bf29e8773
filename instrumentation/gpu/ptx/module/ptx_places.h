#pragma once
// The source line of each PTX instruction (PTX ISA, ".loc").
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "instrumentation/gpu/ptx/module/ptx_text.h"
#include "instrumentation/gpu/ptx/ptx_facts.h"

namespace tilereel::gpu {

class PtxPlaces {
  public:
    PtxPlaces(const std::vector<PtxStatement>& statements,
              const std::vector<std::string>& libraries);

    void begin_function();
    void pass(const PtxStatement& location);
    // The place of the next instruction.
    [[nodiscard]] PtxPlace place() const;
    [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

  private:
    using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // file, line, column
    struct Read {
        Place place;
        std::optional<Place> inlined_at;
    };
    [[nodiscard]] Read read(const PtxStatement& location) const;
    [[nodiscard]] std::uint32_t file_of(std::string_view number) const;

    std::vector<std::string> files_{""};
    std::vector<bool> library_{true};  // by file; code without a file counts as CUDA's own
    std::map<std::string, std::uint32_t, std::less<>> number_of_file_;  // as the PTX numbers them
    std::map<Place, std::optional<Place>> inlined_;
    Place place_;
};

}  // namespace tilereel::gpu

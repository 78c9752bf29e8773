#pragma once
// Which calls lead to the functions of a PTX module.
//
// At -O1 nvcc leaves many functions as they are. The records of such a function do not say from
// where it was called, so lanes that diverged could not be put in the order of the program. A
// function therefore gets one more parameter, its caller: the number of the path of calls from the
// kernel to it. A call passes its own function's number plus an offset that is known here:
//
//     kernel k                       path of f     path of g
//       call f      offset 0         1  k->f       1  k->f->g
//       call f      offset 1         2  k->f       2  k->f->g
//       call g      offset 2                       3  k->g
//     function f, called by 2 paths
//       call g      offset 0
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "instrumentation/gpu/ptx/module/ptx_text.h"

namespace tilereel::gpu {

class PtxCalls {
  public:
    // Views of the statements' text are kept.
    explicit PtxCalls(const std::vector<PtxStatement>& statements);
    // Whether the function gets its caller. Those do not that other modules can call, whose address
    // is taken, that call themselves, or to which more than kMostPaths paths lead.
    [[nodiscard]] bool has_caller(std::string_view function) const {
        return paths_.contains(function);
    }
    // Of the call in the statement of this index, whose target has a caller.
    [[nodiscard]] std::uint32_t offset(std::size_t statement) const {
        return offsets_.at(statement);
    }
    static constexpr std::uint32_t kMostPaths = 4096;

  private:
    struct Call {
        std::size_t statement = 0;
        std::string_view from, to;
    };
    void find_functions(const std::vector<PtxStatement>& statements);
    void find_calls(const std::vector<PtxStatement>& statements);
    void leave_out_recursive();
    [[nodiscard]] bool calls_itself(std::string_view function) const;
    // Sets the offsets of the calls of `function` if the paths to all callers are known.
    [[nodiscard]] bool count_paths(std::string_view function);

    std::map<std::string_view, std::uint32_t> paths_;  // to a function with a caller; 0: not known
    std::vector<Call> calls_;                          // of these functions, as they stand
    std::map<std::size_t, std::uint32_t> offsets_;     // by statement
};

}  // namespace tilereel::gpu

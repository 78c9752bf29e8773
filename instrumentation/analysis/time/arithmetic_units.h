#pragma once
// The pipes of an SM for arithmetic, of which each scheduler has a part.
#include "instrumentation/analysis/time/block_stream.h"
#include "instrumentation/analysis/time/gpu_model.h"
#include "instrumentation/analysis/time/pipe_work.h"
#include "instrumentation/analysis/time/sm_run.h"

namespace tilereel {

struct ArithmeticUnit {
    std::size_t number;
    double SiteTime::*of_site;
    double SmRun::*of_run;
    double SmTimes::*a_clock;
    double PipeWork::*of_work;
};
inline constexpr std::size_t kArithmeticUnits = 4;

// The pipe of an instruction; null: it needs none.
[[nodiscard]] inline const ArithmeticUnit* unit_of(TimedKind kind) {
    static constexpr ArithmeticUnit kFma{0, &SiteTime::fma, &SmRun::fma, &SmTimes::fma_a_clock,
                                         &PipeWork::fma};
    static constexpr ArithmeticUnit kProducts{0, &SiteTime::fma, &SmRun::fma,
                                              &SmTimes::integer_products_a_clock, &PipeWork::fma};
    static constexpr ArithmeticUnit kAlu{1, &SiteTime::alu, &SmRun::alu, &SmTimes::alu_a_clock,
                                         &PipeWork::alu};
    static constexpr ArithmeticUnit kXu{2, &SiteTime::xu, &SmRun::xu, &SmTimes::xu_a_clock,
                                        &PipeWork::xu};
    static constexpr ArithmeticUnit kFp64{3, &SiteTime::fp64, &SmRun::fp64, &SmTimes::fp64_a_clock,
                                          &PipeWork::fp64};
    switch (kind) {
        case TimedKind::kMultiplyAdd:
            return &kFma;
        case TimedKind::kIntegerProduct:
            return &kProducts;
        case TimedKind::kInteger:
            return &kAlu;
        case TimedKind::kXu:
            return &kXu;
        case TimedKind::kFp64:
            return &kFp64;
        default:
            return nullptr;
    }
}

}  // namespace tilereel

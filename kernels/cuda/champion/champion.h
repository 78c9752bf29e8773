#pragma once
// Launches 20_champion: C(M,N) = A(M,K) B(K,N), row-major float32, all in GPU memory, with float32
// multiply-adds. Needs compute capability 9.0. Plain C++.
#include <memory>
#include <optional>

#include "instrumentation/base/result.h"
#include "kernels/cuda/champion/champion_choice.h"

struct CUstream_st;  // what a cudaStream_t points to

namespace tilereel {

struct CompiledChampion;  // champion_kernels.cuh

// A plan for one size, on this thread's GPU and one stream. It owns the GPU memory that its
// launches need besides the matrices. The stream orders the launches of a plan, and different plans
// are independent. Equal matrices give bitwise equal C.
class ChampionPlan {
  public:
    // kWrongCall: the GPU is not a Hopper, or the choice cannot compute this size. kFailed: out of
    // memory.
    static Result<ChampionPlan> make(const ChampionSize& size, CUstream_st* stream = nullptr,
                                     std::optional<ChampionChoice> choice = std::nullopt);
    // The same with a variant of kBulk's kernel, whose blocks compute the tiles of the choice.
    static Result<ChampionPlan> make_with(const CompiledChampion& variant, const ChampionSize& size,
                                          const ChampionChoice& choice);
    ChampionPlan(ChampionPlan&&) noexcept;
    ChampionPlan& operator=(ChampionPlan&&) noexcept;
    ~ChampionPlan();  // call it after the last launch has ended
    // Asynchronous. A, B and C need only the alignment of float.
    Status launch(const float* a, const float* b, float* c);
    [[nodiscard]] ChampionChoice choice() const;

  private:
    class Parts;
    explicit ChampionPlan(std::unique_ptr<Parts> parts);
    static Result<ChampionPlan> make(std::unique_ptr<Parts> parts, int multiprocessors);
    std::unique_ptr<Parts> parts_;
};

}  // namespace tilereel

#pragma once
// 20_champion, ready to launch: C(M,N) = A(M,K) B(K,N), row-major float32, all in GPU memory, by
// plain multiply-adds in float32. Needs compute capability 9.0. Plain C++.
#include <memory>
#include <optional>

#include "instrumentation/base/result.h"
#include "kernels/cuda/champion_choice.h"

struct CUstream_st;  // what a cudaStream_t points to

namespace tilereel {

struct CompiledChampion;  // champion_kernels.cuh

// For one size, on this thread's GPU and one stream. Owns what its launches need besides the
// matrices; so those launches follow one another, which the stream sees to, and plans do not
// disturb each other. The same matrices give the same C, to the bit.
class ChampionPlan {
  public:
    // kWrongCall: the GPU is no Hopper, or the choice does not take the size. kFailed: out of
    // memory.
    static Result<ChampionPlan> make(const ChampionSize& size, CUstream_st* stream = nullptr,
                                     std::optional<ChampionChoice> choice = std::nullopt);
    // The same with a variant of kBulk's kernel, whose blocks make the choice's tiles.
    static Result<ChampionPlan> make_with(const CompiledChampion& variant, const ChampionSize& size,
                                          const ChampionChoice& choice);
    ChampionPlan(ChampionPlan&&) noexcept;
    ChampionPlan& operator=(ChampionPlan&&) noexcept;
    ~ChampionPlan();  // after the last launch is done
    // Returns at once. A, B and C may start wherever a float may.
    Status launch(const float* a, const float* b, float* c);
    [[nodiscard]] ChampionChoice choice() const;

  private:
    class Parts;
    explicit ChampionPlan(std::unique_ptr<Parts> parts);
    static Result<ChampionPlan> make(std::unique_ptr<Parts> parts, int multiprocessors);
    std::unique_ptr<Parts> parts_;
};

}  // namespace tilereel

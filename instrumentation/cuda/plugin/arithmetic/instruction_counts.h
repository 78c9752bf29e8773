#pragma once
// Instructions of a warp by the pipe of an SM that carries them out.

namespace tilereel::runtime {

// The numbers of ArithmeticPipe in instrumentation/trace/arithmetic.h.
enum ArithmeticPipe : unsigned {
    kFmaPipe = 0,          // FP32 sums, products and multiply-adds
    kIntegerProducts = 1,  // on the FMA pipe, at half its rate
    kAluPipe = 2,          // integer sums, logic, shifts, comparisons, selections
    kXuPipe = 3,           // reciprocals, roots, exponentials, sines; conversions to and from FP32
    kFp64Pipe = 4,
    kIssueOnly = 5,  // branches
};
constexpr unsigned kArithmeticPipes = 6;

struct InstructionCounts {
    unsigned by_pipe[kArithmeticPipes] = {};
    unsigned clocks = 0;  // until the last of a chain is done, if nothing else waits

    unsigned& operator[](unsigned pipe) { return by_pipe[pipe]; }
    bool any() const {
        for (const unsigned count : by_pipe)
            if (count != 0) return true;
        return false;
    }
    InstructionCounts& operator+=(const InstructionCounts& other) {
        for (unsigned pipe = 0; pipe < kArithmeticPipes; ++pipe)
            by_pipe[pipe] += other.by_pipe[pipe];
        clocks += other.clocks;
        return *this;
    }
    // The clocks of one after another. "Benchmarking and Dissecting the Nvidia Hopper GPU
    // Architecture" (arXiv 2402.13499) and the same of Volta (arXiv 1804.06826): 4 of FMA and ALU.
    // Of a branch: nvcc 13 waits 13 clocks for its condition, and 5 behind it; BSSY and BSYNC too.
    unsigned in_a_chain() const {
        constexpr unsigned kLatency[kArithmeticPipes] = {4, 4, 4, 20, 8, 6};
        unsigned sum = 0;
        for (unsigned pipe = 0; pipe < kArithmeticPipes; ++pipe)
            sum += by_pipe[pipe] * kLatency[pipe];
        return sum;
    }
};

// In the order of ArithmeticPipe; those that are left out are 0.
constexpr InstructionCounts instructions(unsigned fma, unsigned integer_products = 0,
                                         unsigned alu = 0, unsigned xu = 0, unsigned fp64 = 0,
                                         unsigned issue_only = 0) {
    return {{fma, integer_products, alu, xu, fp64, issue_only}};
}

}  // namespace tilereel::runtime

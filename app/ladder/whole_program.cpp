#include "app/ladder/whole_program.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "kernels/kernel_text.h"
#include "kernels/ladder_file.h"

namespace tilereel {
namespace {

std::string_view next_line_of(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

// The kernel's text in parts: #include of CUDA's headers first, then the rest.
class ProgramText {
  public:
    // Adds a file of the ladder, with the files of the ladder that it includes in their place.
    void add(std::string_view text) {
        bool declares = false;
        while (!text.empty()) {
            const std::string_view line = next_line_of(text);
            // The declaration for the ladder: from this line to the end of the comment.
            declares = line == "// [launch]" || (declares && line.starts_with("//"));
            if (declares || line == "#pragma once") continue;
            if (line.starts_with("#include <")) {
                if (std::ranges::find(cuda_, line) == cuda_.end()) cuda_.push_back(line);
            } else if (line.starts_with("#include \"")) {
                add_header(line.substr(10, line.size() - 11));
            } else if (!line.empty() || !code_.ends_with("\n\n")) {
                code_ += std::string(line) + "\n";
            }
        }
    }
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const std::string_view line : cuda_) all += std::string(line) + "\n";
        return all + "\n" + code_;
    }

  private:
    void add_header(std::string_view name) {
        for (const LadderHeader& header : ladder_headers())
            if (header.name == name && std::ranges::find(added_, name) == added_.end()) {
                added_.push_back(header.name);
                add(header.text);
                code_ += "\n";
            }
    }

    std::vector<std::string_view> cuda_, added_;
    std::string code_;
};

void replace_all(std::string& text, std::string_view what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
}

constexpr std::string_view kMain = R"main(
constexpr int @CONSTANTS@;

// Whole numbers from 0 to 7: their products and sums are exact, so that every order of
// adding gives the same C.
static std::vector<Element> random_matrix(int rows, int columns, unsigned seed) {
    std::vector<Element> matrix(static_cast<size_t>(rows) * columns);
    for (Element& element : matrix) {
        seed = seed * 1664525u + 1013904223u;
        element = static_cast<float>(seed >> 29);
    }
    return matrix;
}

static Element* copy_to_device(const std::vector<Element>& matrix) {
    Element* memory = nullptr;
    cudaMalloc(&memory, matrix.size() * sizeof(Element));
    cudaMemcpy(memory, matrix.data(), matrix.size() * sizeof(Element),
               cudaMemcpyHostToDevice);
    return memory;
}

// ./@NAME@        checks the kernel
// ./@NAME@ 20     also times 20 launches
int main(int argc, char** argv) {
    const int M = @M@, N = @N@, K = @K@;  // C(M,N) = A(M,K) B(K,N), by rows
    const std::vector<Element> a = random_matrix(M, K, 1), b = random_matrix(K, N, 2);
    Element* A = copy_to_device(a);
    Element* B = copy_to_device(b);
    float* C = nullptr;
    std::vector<float> c(static_cast<size_t>(M) * N);
    cudaMalloc(&C, c.size() * sizeof(float));
    cudaMemset(C, 0, c.size() * sizeof(float));

    @LAUNCH@(A, B, C, M, N, K);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        std::printf("the launch failed: %s\n", cudaGetErrorString(error));
        return 1;
    }
    cudaMemcpy(c.data(), C, c.size() * sizeof(float), cudaMemcpyDeviceToHost);

    // A large product is checked in some of its rows.
    const long long products = 1LL * M * N * K;
    const int step = products > (1LL << 27) ? (M + 15) / 16 : 1;
    long long wrong = 0;
    for (int row = 0; row < M; row += step)
        for (int col = 0; col < N; ++col) {
            float sum = 0;
            for (int k = 0; k < K; ++k)
                sum += static_cast<float>(a[static_cast<size_t>(row) * K + k]) *
                       static_cast<float>(b[static_cast<size_t>(k) * N + col]);
            const float found = c[static_cast<size_t>(row) * N + col];
            if (found != sum && ++wrong == 1)
                std::printf("C[%d][%d] is %g and should be %g\n", row, col, found, sum);
        }
    std::printf(wrong == 0 ? "C is right\n" : "C is wrong in %lld elements\n", wrong);

    if (const int launches = argc > 1 ? std::atoi(argv[1]) : 0; launches > 0) {
        cudaEvent_t begin, end;
        cudaEventCreate(&begin);
        cudaEventCreate(&end);
        cudaEventRecord(begin);
        for (int i = 0; i < launches; ++i)
            @LAUNCH@(A, B, C, M, N, K);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, begin, end);
        milliseconds /= static_cast<float>(launches);
        std::printf("%.3f ms a launch, %.0f GFLOPS\n", milliseconds,
                    2e-6 * static_cast<double>(products) / milliseconds);
    }
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    return wrong == 0 ? 0 : 1;
}
)main";

std::string architecture_flag(const KernelInfo& kernel) {
    if (kernel.compute_capability == 0) return "";
    return " -arch=sm_" + std::to_string(kernel.compute_capability) +
           (kernel.architecture_specific ? "a" : "");
}

}  // namespace

Result<std::string> whole_program(const KernelInfo& kernel, const KernelParameters& parameters,
                                  const std::string& name) {
    if (kernel.on_cpu || kernel.file == nullptr)
        return wrong_call(std::string(kernel.id) +
                          " runs on the CPU; name a kernel for the GPU: 'tilereel kernels' lists "
                          "them");
    TRY(validate(kernel, parameters));
    const std::string stem = std::filesystem::path(name).stem().string();
    ProgramText program;
    program.add(
        "#include <cuda_runtime.h>\n#include <cstdio>\n#include <cstdlib>\n"
        "#include <vector>\n");
    program.add(kernel.source);
    std::string text = "// " + name + ": a program around " + std::string(kernel.title) +
                       " of Tilereel's ladder. Change it, and run it again:\n"
                       "//   nvcc -O3" +
                       architecture_flag(kernel) + " -o " + stem + " " + name +
                       "    on a computer with a GPU\n"
                       "//   tilereel open " +
                       name + "    without one: see each access\n" + program.text() +
                       "\nusing Element = " + std::string(cuda_name(kernel.inputs)) + ";" +
                       std::string(kMain);
    replace_all(text, "@LAUNCH@", std::string(kernel.file->launch_function));
    replace_all(text, "@NAME@", stem);
    std::string constants = "TILE = " + std::to_string(parameters.tile);
    if (kernel.file->launch_function.find("PAD") != std::string_view::npos)
        constants += ", PAD = " + std::to_string(parameters.pad);
    replace_all(text, "@CONSTANTS@", constants);
    const auto put = [&](std::string_view what, int number) {
        replace_all(text, what, std::to_string(number));
    };
    put("@M@", parameters.m);
    put("@N@", parameters.n);
    put("@K@", parameters.k);
    return text;
}

}  // namespace tilereel

#include <dlfcn.h>

#include <cstdlib>
#include <sstream>
#include <thread>

#include "instrumentation/base/files/text_file.h"
#include "instrumentation/program/gpu/nvcc_build.h"
#include "instrumentation/program/process.h"
#include "instrumentation/program/toolchain.h"

namespace tilereel::program {
namespace {

Result<ProcessResult> run_tool(std::vector<std::string> command,
                               const std::filesystem::path& folder) {
    ProcessRequest request;
    request.command = std::move(command);
    request.folder = folder;
    request.seconds = 300;
    return run_process(request);
}

// "Cuda compilation tools, release 13.0, V13.0.88" -> "13.0"
std::string release_in(const std::string& words) {
    const std::size_t at = words.find("release ");
    return at == std::string::npos ? "" : words.substr(at + 8, words.find(',', at) - at - 8);
}

Status build(const GpuToolchain& tools, const std::filesystem::path& folder) {
    std::error_code ignored;  // write_text() says so
    std::filesystem::create_directory(folder / "contract", ignored);
    for (unsigned i = 0; i < kEmbeddedFileCount; ++i) {
        const std::filesystem::path path = kEmbeddedFiles[i].path;
        const bool of_contract = path.parent_path() == "contract";
        if (!of_contract && path.parent_path() != "gpu" && path != "tensor_map_types.h") continue;
        TRY(write_text(folder / (of_contract ? path : path.filename()), kEmbeddedFiles[i].text));
    }
    // -rdc=true keeps functions that nothing calls.
    const std::vector<std::vector<std::string>> commands = {
        {tools.nvcc, architecture_options(tools.architecture).front(), "-std=c++17", "-rdc=true",
         "-ptx", "recorder.cu", "-o", "recorder.ptx"},
        {tools.nvcc, "-std=c++17", "-O2", "-c", "host_memory.cpp"},
        {tools.nvcc, "-std=c++17", "-O2", "-c", "host_calls.cpp"},
        {tools.nvcc, "-std=c++17", "-O2", "-c", "host_dump.cpp"},
        {tools.nvcc, "-std=c++17", "-O2", "-c", "host_launch.cpp"},
        {tools.nvcc, "-std=c++17", "-O2", "-c", "host_maps.cpp"},
        {tools.nvcc, "-std=c++17", "-O2", "-c", "host_parent.cpp"}};
    std::vector<std::string> words(commands.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < commands.size(); ++i)
        threads.emplace_back([&, i] {
            const Result<ProcessResult> run = run_tool(commands[i], folder);
            if (!run)
                words[i] = run.error().message;
            else if (run->end != ProcessEnd::kExit || run->code != 0)
                words[i] = run->output + " ";
        });
    threads.clear();
    for (const std::string& each : words)
        if (!each.empty())
            return failed("nvcc " + tools.version + " does not compile the recorder:\n" + each);
    return Done{};
}

}  // namespace

// In PATH, in $CUDA_HOME, or where NVIDIA's installer puts it.
std::string find_nvcc() {
    std::vector<std::filesystem::path> folders;
    std::istringstream path(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
    for (std::string folder; std::getline(path, folder, ':');) folders.emplace_back(folder);
    if (const char* const home = std::getenv("CUDA_HOME"))
        folders.push_back(std::filesystem::path(home) / "bin");
    folders.emplace_back("/usr/local/cuda/bin");
    std::error_code error;
    for (const std::filesystem::path& folder : folders)
        if (std::filesystem::is_regular_file(folder / "nvcc", error))
            return (folder / "nvcc").string();
    return {};
}

// Asks the driver's library, which every computer with a GPU for CUDA has.
Result<std::string> gpu_architecture() {
    const Error none = failed(
        "no GPU was found on this computer to run the program on; record it without --device gpu");
    void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == nullptr) return none;
    const auto function = [&]<class Type>(const char* name, Type*& to) {
        to = reinterpret_cast<Type*>(dlsym(driver, name));
        return to != nullptr;
    };
    int (*init)(unsigned) = nullptr;
    int (*get)(int*, int) = nullptr;
    int (*attribute)(int*, int, int) = nullptr;
    constexpr int kMajor = 75, kMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_...
    int device = 0, major = 0, minor = 0;
    if (!function("cuInit", init) || !function("cuDeviceGet", get) ||
        !function("cuDeviceGetAttribute", attribute) || init(0) != 0 || get(&device, 0) != 0 ||
        attribute(&major, kMajor, device) != 0 || attribute(&minor, kMinor, device) != 0)
        return none;
    // With "a" it has all instructions of that GPU, such as wgmma; the program runs on no other.
    return "sm_" + std::to_string(major) + std::to_string(minor) + (major >= 9 ? "a" : "");
}

std::vector<std::string> architecture_options(const std::string& architecture) {
    return {"-arch=compute_" + architecture.substr(architecture.find('_') + 1),
            "-code=" + architecture};
}

Result<GpuToolchain> prepare_gpu_toolchain(const std::string& architecture) {
    GpuToolchain tools;
    tools.architecture = architecture;
    tools.nvcc = find_nvcc();
    if (tools.nvcc.empty())
        return failed(
            "there is no nvcc to compile the program for the GPU with; install the CUDA Toolkit, "
            "or record without --device gpu");
    const ProcessResult version = TRY(run_tool({tools.nvcc, "--version"}, {}));
    tools.version = release_in(version.output);
    std::uint64_t hash = hash_of(version.output, hash_of(tools.nvcc));
    for (unsigned i = 0; i < kEmbeddedFileCount; ++i) hash = hash_of(kEmbeddedFiles[i].text, hash);
    std::ostringstream name;
    name << "gpu-nvcc-" << tools.version << '-' << architecture << '-' << std::hex << hash;
    tools.folder = cache_folder() / name.str();
    std::error_code error;
    if (std::filesystem::exists(tools.folder)) return tools;
    // Two processes can build at once: each works in a temporary folder, and the first to rename it
    // wins.
    std::filesystem::create_directories(cache_folder(), error);
    const TemporaryFolder made = TRY(TemporaryFolder::make_in(cache_folder(), kHalfMade));
    const std::filesystem::path whole = made.path() / "gpu";
    std::filesystem::create_directories(whole, error);
    TRY(build(tools, whole));
    std::filesystem::rename(whole, tools.folder, error);
    if (!std::filesystem::exists(tools.folder))
        return failed("cannot write " + tools.folder.string() + "; make room on its disk");
    return tools;
}

}  // namespace tilereel::program

#pragma once
// During its lifetime, g++'s headers for plugins seem not to be installed.
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tilereel::plain {

class WithoutPlugin {
  public:
    WithoutPlugin() {
        std::string name =
            (std::filesystem::temp_directory_path() / "without-plugin-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        const std::filesystem::path compiler = folder_ / "g++";
        std::ofstream(compiler)
            << "#!/bin/sh\ncase \"$*\" in\n*-print-file-name=plugin*) echo plugin ;;\n"
               "*) exec g++ \"$@\" ;;\nesac\n";
        std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
        setenv("TILEREEL_CXX", compiler.c_str(), 1);
    }
    ~WithoutPlugin() {
        unsetenv("TILEREEL_CXX");
        std::filesystem::remove_all(folder_);
    }
    WithoutPlugin(const WithoutPlugin&) = delete;
    WithoutPlugin& operator=(const WithoutPlugin&) = delete;

  private:
    std::filesystem::path folder_;
};

}  // namespace tilereel::plain

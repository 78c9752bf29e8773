# Finds what the folders link, all of it from Debian's packages:
#   Threads::Threads  Boost::context  libzip::zip  libdw::libdw  ZLIB::ZLIB  nlohmann_json::nlohmann_json  CLI11::CLI11
#   OpenBLAS::OpenBLAS (left out where it is not installed)
#   glfw  OpenGL::EGL  Cairo::Cairo  Fontconfig::Fontconfig  tilereel_glad  tilereel_imgui
#   tomlplusplus::tomlplusplus
# With TILEREEL_WINDOW=OFF only Threads and toml++ are required: another package that is missing leaves its target undefined.
set(need REQUIRED)
if(NOT TILEREEL_WINDOW)
    set(need QUIET)
endif()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Boost 1.74 ${need} COMPONENTS context)
find_package(nlohmann_json 3.9 ${need})
find_package(PkgConfig REQUIRED)

# The kernels' files declare in TOML what they are. Of toml++ only the headers are used, so that the
# race alone needs no library.
pkg_check_modules(tomlplusplus REQUIRED tomlplusplus)
add_library(tilereel_tomlplusplus INTERFACE)
target_include_directories(tilereel_tomlplusplus SYSTEM INTERFACE ${tomlplusplus_INCLUDE_DIRS})
target_compile_definitions(tilereel_tomlplusplus INTERFACE TOML_HEADER_ONLY=1)
add_library(tomlplusplus::tomlplusplus ALIAS tilereel_tomlplusplus)

# pkg-config, because libzip's own CMake file also demands its command line tools.
if(PkgConfig_FOUND)
    pkg_check_modules(libzip ${need} IMPORTED_TARGET libzip)
    pkg_check_modules(libdw ${need} IMPORTED_TARGET libdw)
endif()
find_package(ZLIB ${need})
if(libzip_FOUND AND ZLIB_FOUND)
    add_library(tilereel_libzip INTERFACE)
    target_link_libraries(tilereel_libzip INTERFACE PkgConfig::libzip)
    add_library(libzip::zip ALIAS tilereel_libzip)
endif()
if(libdw_FOUND)
    add_library(tilereel_libdw INTERFACE)
    target_link_libraries(tilereel_libdw INTERFACE PkgConfig::libdw)
    add_library(libdw::libdw ALIAS tilereel_libdw)
endif()

# The reference of races on the CPU. Without it there is no reference, but everything else works.
if(PkgConfig_FOUND)
    pkg_check_modules(openblas QUIET IMPORTED_TARGET openblas)
endif()
if(openblas_FOUND)
    add_library(tilereel_openblas INTERFACE)
    target_link_libraries(tilereel_openblas INTERFACE PkgConfig::openblas)
    add_library(OpenBLAS::OpenBLAS ALIAS tilereel_openblas)
else()
    message(STATUS "No OpenBLAS: the CPU's kernels are compared with one another only")
endif()

if(NOT TILEREEL_WINDOW)
    return()
endif()

find_package(CLI11 REQUIRED)
find_package(Fontconfig REQUIRED)
find_package(glfw3 3.3 REQUIRED)
# pkg-config, because CMake's FindOpenGL wants libOpenGL besides, which nothing here links.
pkg_check_modules(egl REQUIRED IMPORTED_TARGET egl)
add_library(tilereel_egl INTERFACE)
target_link_libraries(tilereel_egl INTERFACE PkgConfig::egl)
add_library(OpenGL::EGL ALIAS tilereel_egl)

pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo cairo-svg cairo-pdf cairo-ft)
add_library(tilereel_cairo INTERFACE)
target_link_libraries(tilereel_cairo INTERFACE PkgConfig::cairo)
add_library(Cairo::Cairo ALIAS tilereel_cairo)

# The OpenGL 3.3 core loader. Without --reproducible glad would fetch the specification from the
# network; Debian's interpreter is named in full because only it has Debian's glad.
set(glad_folder ${PROJECT_BINARY_DIR}/glad)
add_custom_command(
    OUTPUT ${glad_folder}/src/gl.c ${glad_folder}/include/glad/gl.h
    COMMAND /usr/bin/python3 -m glad --reproducible --quiet --api gl:core=3.3 --extensions=
            --out-path ${glad_folder} c
    COMMENT "Generating the OpenGL loader"
    VERBATIM)
add_library(tilereel_glad STATIC ${glad_folder}/src/gl.c ${glad_folder}/include/glad/gl.h)
target_include_directories(tilereel_glad SYSTEM PUBLIC ${glad_folder}/include)
target_link_libraries(tilereel_glad PUBLIC ${CMAKE_DL_LIBS})

# Debian's static Dear ImGui holds its GLFW and OpenGL 3 backends and leaves stb to the linker.
# Included as <imgui.h> and <imgui_impl_glfw.h>.
find_path(TILEREEL_IMGUI_INCLUDE imgui.h PATH_SUFFIXES imgui REQUIRED)
find_library(TILEREEL_IMGUI_LIBRARY imgui REQUIRED)
find_library(TILEREEL_STB_LIBRARY stb REQUIRED)
find_path(TILEREEL_STB_INCLUDE stb_image_write.h PATH_SUFFIXES stb REQUIRED)
add_library(tilereel_imgui INTERFACE)
target_include_directories(tilereel_imgui SYSTEM INTERFACE ${TILEREEL_IMGUI_INCLUDE}
                           ${TILEREEL_IMGUI_INCLUDE}/backends ${TILEREEL_STB_INCLUDE})
target_link_libraries(tilereel_imgui INTERFACE ${TILEREEL_IMGUI_LIBRARY} ${TILEREEL_STB_LIBRARY} glfw
                      ${CMAKE_DL_LIBS} m)

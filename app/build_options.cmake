# How the libraries of the program are compiled.
# Libraries whose speed matters: they record, analyse, race, replay or draw the stage.
set(fast_libraries base trace analysis record plain_runtime gpu_conversion plain_ladder replay race stage
    ui)
# All other libraries. g++ compiles with -O1 in half the time of -O3. -finline-small-functions costs no
# compile time; without it, even the small member functions of std::string would be calls.
set(other_libraries facts plain lesson workbench panels shell export export_data html window)

# precompile_headers(SUFFIX OPTION LIBRARIES...): compiles the libraries with the option. In a unity
# build they share one precompiled header of standard headers. g++ accepts a precompiled header only
# if it was compiled with the same option.
function(precompile_headers suffix option)
    set(optimised $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${option}>)
    if(TILEREEL_UNITY)
        file(CONFIGURE OUTPUT precompiled.cpp CONTENT "")
        add_library(tilereel_precompiled_${suffix} STATIC
            ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp)
        target_link_libraries(tilereel_precompiled_${suffix} PRIVATE tilereel_options)
        target_compile_options(tilereel_precompiled_${suffix} PRIVATE ${optimised})
        target_precompile_headers(tilereel_precompiled_${suffix} PRIVATE
            <algorithm> <array> <chrono> <cstdint> <filesystem> <functional> <map> <memory> <mutex>
            <optional> <ranges> <span> <string> <string_view> <thread> <unordered_map> <utility>
            <vector>)
    endif()
    foreach(library IN LISTS ARGN)
        if(NOT TARGET tilereel_${library})
            continue()
        endif()
        target_compile_options(tilereel_${library} PRIVATE ${optimised})
        if(TILEREEL_UNITY)
            target_precompile_headers(tilereel_${library}
                REUSE_FROM tilereel_precompiled_${suffix})
            # g++ 12 gives these warnings falsely if std::string comes from a precompiled header.
            target_compile_options(tilereel_${library} PRIVATE
                $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds -Wno-stringop-overflow
                -Wno-stringop-overread>)
        endif()
    endforeach()
endfunction()

if(TARGET tilereel_trace)
    precompile_headers(fast -O3 ${fast_libraries})
    precompile_headers(other "SHELL:-O1 -finline-small-functions" ${other_libraries})
endif()

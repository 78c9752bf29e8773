# How the libraries of the program are compiled.
# Libraries whose speed matters: they record, analyse, race, replay or draw the stage.
set(fast_libraries base json trace trace_file analysis record record_plan runtime tensor gpu_conversion recorded_ladder replay
    race stage ui)
# All other libraries. g++ compiles with -O1 in half the time of -O3. -finline-small-functions costs no
# compile time; without it, even the small member functions of std::string would be calls.
set(other_libraries facts cuda_text ptx program subject lesson exercise workbench panels shell export export_data html window)

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

# linked_libraries(TARGET RESULT): adds to the list RESULT the libraries of this project that the target
# links, directly or through another library.
function(linked_libraries target result)
    set(found ${${result}})
    foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
        get_target_property(libraries ${target} ${property})
        foreach(library IN LISTS libraries)
            string(REGEX REPLACE "^\\$<LINK_ONLY:(.+)>$" "\\1" library "${library}")
            if(library MATCHES "^tilereel_" AND TARGET ${library} AND NOT library IN_LIST found)
                list(APPEND found ${library})
                linked_libraries(${library} found)
            endif()
        endforeach()
    endforeach()
    set(${result} ${found} PARENT_SCOPE)
endfunction()

# Of an inline function that several object files hold, the linker keeps the first. So all programs
# are linked with the fast libraries first, then the others, then the tests and the command line,
# which are compiled with few or no optimisations. With the command line first, exporting a film
# took a sixth longer. --whole-archive makes the linker take all object files of these libraries,
# although nothing refers to them yet. A target with the property TILEREEL_OWN_LINK_ORDER is left as
# it is.
function(link_fast_libraries_first folder)
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        get_target_property(own_order ${target} TILEREEL_OWN_LINK_ORDER)
        if(NOT type STREQUAL EXECUTABLE OR own_order)
            continue()
        endif()
        set(linked "")
        linked_libraries(${target} linked)
        set(first "")
        foreach(library ${fast_libraries} ${other_libraries})
            if(tilereel_${library} IN_LIST linked)
                string(APPEND first ",$<TARGET_FILE:tilereel_${library}>")
            endif()
        endforeach()
        if(first)
            target_link_options(${target} PRIVATE
                "$<$<CONFIG:Release>:LINKER:--whole-archive${first},--no-whole-archive>")
        endif()
    endforeach()
    get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    foreach(each IN LISTS folders)
        link_fast_libraries_first(${each})
    endforeach()
endfunction()

link_fast_libraries_first(${PROJECT_SOURCE_DIR})

# Runs after a GoogleTest program is built, and writes a CTest file with one test for each of its suites:
#   cmake -DPROGRAM=... -DFILE=... -DLABELS=... -DCOST=... -P discover_suites.cmake
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed
                RESULT_VARIABLE failed TIMEOUT 60)
if(failed)
    message(FATAL_ERROR "${PROGRAM} --gtest_list_tests ended with ${failed}")
endif()
string(REGEX MATCHALL "(^|\n)[^ \n]+\\.(\n|$| )" suites "${listed}")
set(tests "")
foreach(suite IN LISTS suites)
    string(STRIP "${suite}" suite)
    string(REGEX REPLACE "\\.$" "" suite "${suite}")
    string(APPEND tests "add_test([[${suite}]] [[${PROGRAM}]] [[--gtest_filter=${suite}.*]])\n"
           "set_tests_properties([[${suite}]] PROPERTIES LABELS [[${LABELS}]] COST ${COST})\n")
endforeach()
file(WRITE ${FILE} "${tests}")

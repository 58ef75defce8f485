# The targets tidy (clang-tidy over src) and format (clang-format over src and tests, which it only judges).
# Each source is a rule of its own, so that the build runs them side by side and again only after a change.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*.h)
file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/*.h ${CMAKE_SOURCE_DIR}/tests/*.cpp)

set(tidied "")
foreach(source IN LISTS normtrace_sources)
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${source})
  set(stamp ${CMAKE_BINARY_DIR}/tidy/${name}.tidied)
  get_filename_component(folder ${stamp} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${stamp}
    COMMAND ${normtrace_clang-tidy} --quiet -p ${CMAKE_BINARY_DIR} ${source}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${source} ${headers} ${CMAKE_SOURCE_DIR}/.clang-tidy
    COMMENT "clang-tidy ${name}" VERBATIM)
  list(APPEND tidied ${stamp})
endforeach()
add_custom_target(tidy DEPENDS ${tidied})

add_custom_target(format
  COMMAND ${normtrace_clang-format} --dry-run -Werror ${normtrace_sources} ${headers} ${tests}
  COMMENT "clang-format" VERBATIM)

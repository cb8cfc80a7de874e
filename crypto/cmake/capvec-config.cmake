# find_package(capvec): the target capvec::capvec, and capvec::shared where the shared library is installed as well as the
# static one. Both `make install` and CMake's own install this file, so it finds things from where it is.
get_filename_component(_capvec_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
find_path(CAPVEC_INCLUDE_DIR capvec.h
  HINTS "${_capvec_lib}/../include" "${_capvec_lib}/../../include" NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(CAPVEC_INCLUDE_DIR)

function(_capvec_library target kind file)
  if(NOT TARGET ${target} AND EXISTS "${_capvec_lib}/${file}")
    add_library(${target} ${kind} IMPORTED)
    set_target_properties(${target} PROPERTIES
      IMPORTED_LOCATION "${_capvec_lib}/${file}" INTERFACE_INCLUDE_DIRECTORIES "${CAPVEC_INCLUDE_DIR}")
  endif()
endfunction()

_capvec_library(capvec::capvec STATIC libcapvec.a)
_capvec_library(capvec::shared SHARED libcapvec.so)
_capvec_library(capvec::capvec SHARED libcapvec.so)
if(NOT TARGET capvec::capvec OR NOT CAPVEC_INCLUDE_DIR)
  set(capvec_FOUND FALSE)
  set(capvec_NOT_FOUND_MESSAGE "libcapvec.a, libcapvec.so or capvec.h is missing around ${_capvec_lib}")
endif()
unset(_capvec_lib)

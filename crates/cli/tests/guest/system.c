/* Checks of the system that `capvec run` provides, through the C library. Each function covers a family of calls; a
 * failed expectation is printed with its file and line. Runs on any riscv64 Linux.
 *
 * One translation unit: the guest's own compiler compiles it in the simulator, where each unit takes time. */
#define _GNU_SOURCE
#include "system/signal_handler.h"

#include "system/signals.c"
#include "system/processes.c"
#include "system/names.c"
#include "system/memory.c"
#include "system/files.c"
#include "system/clocks.c"
#include "system/self.c"

int main(int argc, char **argv)
{
    if (argc == 2)
        return 7;
    if (argc == 3)
        return named(argv[1], argv[2]);
    faults();
    signals_sent();
    signals_and_waiting();
    threads();
    children();
    names();
    titles(argv);
    shared_memory();
    mapped_files();
    memory();
    waiting_for_files();
    signals_by_descriptor();
    file_locks();
    advice();
    clocks();
    self();
    printf("%d failures\n", failures);
    return failures != 0;
}

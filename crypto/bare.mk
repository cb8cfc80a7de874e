# For Makefiles two directories below, which build a program with the library for a hart without an operating system: the
# compiler's flags, and the rule for the library. Those Makefiles set ARCH, ABI and CAPS.

BUILD ?= build-$(ARCH)

FLAGS = -march=$(ARCH) -mabi=$(ABI) -mcmodel=medany -O2 -fno-pic -ffreestanding -fno-builtin
LIBRARY = $(BUILD)/library/libcapvec.a

# The library's own Makefile knows what is up to date.
.PHONY: $(LIBRARY) clean
$(LIBRARY):
	$(MAKE) -C ../.. FREESTANDING=1 $(if $(SMALL_STACK),SMALL_STACK=1) CC='$(CC)' BUILD='$(abspath $(BUILD))/library' \
	    CFLAGS='$(FLAGS) -DCV_CAPS_FIXED=\"$(CAPS)\"'

clean:
	rm -rf $(BUILD)

# A program for a hart without an operating system, with the library: flags and the library's own make, for Makefiles two directories below.
# They say ARCH, ABI and CAPS.

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

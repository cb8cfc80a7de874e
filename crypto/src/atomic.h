/* What the choice of kernels needs of C11's atomics: a pointer that is published, numbers, and a lock.
 *
 * RISC-V without A has none, and harts that share memory have A; there, plain accesses do. */
#ifndef CV_ATOMIC_H
#define CV_ATOMIC_H

#if defined(__riscv) && !defined(__riscv_atomic)

# define CV_ATOMIC(type) type volatile
typedef char cv_lock;
# define CV_UNLOCKED 0

# define cv_publish(to, pointer) ((void)(*(to) = (pointer)))
# define cv_published(from) (*(from))
# define cv_set_number(to, value) ((void)(*(to) = (value)))
# define cv_number(from) (*(from))
# define cv_take(lock) ((void)(lock))
# define cv_give(lock) ((void)(lock))

#else
# include <stdatomic.h>

# define CV_ATOMIC(type) _Atomic(type)
typedef atomic_flag cv_lock;
# define CV_UNLOCKED ATOMIC_FLAG_INIT

/* What a published pointer leads to is read after it without a fence: the address of the one is the value of the other, which every
 * machine with these kernels keeps in order (RVWMO: preserved program order, rule 9). C11 has only memory_order_consume to say so,
 * which compilers make a fence; ThreadSanitizer knows no dependencies. */
# ifndef __has_feature
#  define __has_feature(x) 0
# endif
# if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#  define CV_DEPENDENT memory_order_acquire
# else
#  define CV_DEPENDENT memory_order_relaxed
# endif

# define cv_publish(to, pointer) atomic_store_explicit(to, pointer, memory_order_release)
# define cv_published(from) atomic_load_explicit(from, CV_DEPENDENT)
# define cv_set_number(to, value) atomic_store_explicit(to, value, memory_order_relaxed)
# define cv_number(from) atomic_load_explicit(from, memory_order_relaxed)

/* Held for as long as a table takes to fill. */
static inline void cv_take(cv_lock *lock)
{
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
        ;
}

static inline void cv_give(cv_lock *lock)
{
    atomic_flag_clear_explicit(lock, memory_order_release);
}

#endif

#endif

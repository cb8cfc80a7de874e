/* What the selection of kernels needs of C11's atomics: a published pointer, numbers, and a lock; and how many sets of
 * capabilities threads may select concurrently (CV_TABLES).
 *
 * RISC-V without A has no atomics, but harts that share memory have A; without it, plain accesses suffice. */
#ifndef CV_ATOMIC_H
#define CV_ATOMIC_H

#if defined(__riscv) && !defined(__riscv_atomic)

# define CV_ATOMIC(type) type volatile
# define CV_TABLES 1
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
# define CV_TABLES 4
typedef atomic_flag cv_lock;
# define CV_UNLOCKED ATOMIC_FLAG_INIT

/* The memory behind a published pointer is read without a fence: its address depends on the pointer's value, and every
 * machine with these kernels keeps dependent accesses in order (RVWMO: preserved program order, rule 9). In C11 only
 * memory_order_consume expresses this, which compilers turn into a fence; ThreadSanitizer does not know about
 * dependencies. */
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

/* Held while a table is being filled. */
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

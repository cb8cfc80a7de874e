//! Linux error numbers as the guest sees them.
//!
//! riscv64 uses the generic numbering of Linux (`include/uapi/asm-generic/errno-base.h` and
//! `errno.h`). The hosts we run on (x86-64, AArch64, RISC-V) use the same numbering, so an error of
//! a host call passes to the guest unchanged.

use std::fmt;

/// A Linux error number, positive (`ENOENT` is 2). A system call returns its negation to the guest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Errno(pub i32);

/// Result of an emulated kernel operation.
pub type Result<T> = std::result::Result<T, Errno>;

macro_rules! errnos {
    ($($name:ident = $value:literal,)*) => {
        impl Errno {
            $(#[doc = concat!("`", stringify!($name), "` (", stringify!($value), ").")]
            pub const $name: Errno = Errno($value);)*

            /// The symbolic name, such as `"ENOENT"`; `None` for a number that Linux does not name.
            #[must_use]
            pub fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($value => Some(stringify!($name)),)*
                    _ => None,
                }
            }
        }
    };
}

errnos! {
    EPERM = 1,
    ENOENT = 2,
    ESRCH = 3,
    EINTR = 4,
    EIO = 5,
    ENXIO = 6,
    E2BIG = 7,
    ENOEXEC = 8,
    EBADF = 9,
    ECHILD = 10,
    EAGAIN = 11,
    ENOMEM = 12,
    EACCES = 13,
    EFAULT = 14,
    ENOTBLK = 15,
    EBUSY = 16,
    EEXIST = 17,
    EXDEV = 18,
    ENODEV = 19,
    ENOTDIR = 20,
    EISDIR = 21,
    EINVAL = 22,
    ENFILE = 23,
    EMFILE = 24,
    ENOTTY = 25,
    ETXTBSY = 26,
    EFBIG = 27,
    ENOSPC = 28,
    ESPIPE = 29,
    EROFS = 30,
    EMLINK = 31,
    EPIPE = 32,
    EDOM = 33,
    ERANGE = 34,
    EDEADLK = 35,
    ENAMETOOLONG = 36,
    ENOLCK = 37,
    ENOSYS = 38,
    ENOTEMPTY = 39,
    ELOOP = 40,
    ENOMSG = 42,
    EIDRM = 43,
    ECHRNG = 44,
    EL2NSYNC = 45,
    EL3HLT = 46,
    EL3RST = 47,
    ELNRNG = 48,
    EUNATCH = 49,
    ENOCSI = 50,
    EL2HLT = 51,
    EBADE = 52,
    EBADR = 53,
    EXFULL = 54,
    ENOANO = 55,
    EBADRQC = 56,
    EBADSLT = 57,
    EBFONT = 59,
    ENOSTR = 60,
    ENODATA = 61,
    ETIME = 62,
    ENOSR = 63,
    ENONET = 64,
    ENOPKG = 65,
    EREMOTE = 66,
    ENOLINK = 67,
    EADV = 68,
    ESRMNT = 69,
    ECOMM = 70,
    EPROTO = 71,
    EMULTIHOP = 72,
    EDOTDOT = 73,
    EBADMSG = 74,
    EOVERFLOW = 75,
    ENOTUNIQ = 76,
    EBADFD = 77,
    EREMCHG = 78,
    ELIBACC = 79,
    ELIBBAD = 80,
    ELIBSCN = 81,
    ELIBMAX = 82,
    ELIBEXEC = 83,
    EILSEQ = 84,
    ERESTART = 85,
    ESTRPIPE = 86,
    EUSERS = 87,
    ENOTSOCK = 88,
    EDESTADDRREQ = 89,
    EMSGSIZE = 90,
    EPROTOTYPE = 91,
    ENOPROTOOPT = 92,
    EPROTONOSUPPORT = 93,
    ESOCKTNOSUPPORT = 94,
    EOPNOTSUPP = 95,
    EPFNOSUPPORT = 96,
    EAFNOSUPPORT = 97,
    EADDRINUSE = 98,
    EADDRNOTAVAIL = 99,
    ENETDOWN = 100,
    ENETUNREACH = 101,
    ENETRESET = 102,
    ECONNABORTED = 103,
    ECONNRESET = 104,
    ENOBUFS = 105,
    EISCONN = 106,
    ENOTCONN = 107,
    ESHUTDOWN = 108,
    ETOOMANYREFS = 109,
    ETIMEDOUT = 110,
    ECONNREFUSED = 111,
    EHOSTDOWN = 112,
    EHOSTUNREACH = 113,
    EALREADY = 114,
    EINPROGRESS = 115,
    ESTALE = 116,
    EUCLEAN = 117,
    ENOTNAM = 118,
    ENAVAIL = 119,
    EISNAM = 120,
    EREMOTEIO = 121,
    EDQUOT = 122,
    ENOMEDIUM = 123,
    EMEDIUMTYPE = 124,
    ECANCELED = 125,
    ENOKEY = 126,
    EKEYEXPIRED = 127,
    EKEYREVOKED = 128,
    EKEYREJECTED = 129,
    EOWNERDEAD = 130,
    ENOTRECOVERABLE = 131,
    ERFKILL = 132,
    EHWPOISON = 133,
}

impl Errno {
    /// The value of register `a0` after a system call that failed with this error.
    #[must_use]
    pub fn to_ret(self) -> u64 {
        i64::from(self.0).wrapping_neg() as u64
    }
}

impl fmt::Debug for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "errno {}", self.0),
        }
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for Errno {}

impl From<rustix::io::Errno> for Errno {
    fn from(e: rustix::io::Errno) -> Errno {
        Errno(e.raw_os_error())
    }
}

#[cfg(test)]
mod tests {
    use super::Errno;

    #[test]
    fn numbers_agree_with_the_host_kernel_headers() {
        // Oracle: rustix's own constants, generated from the kernel's headers.
        use rustix::io::Errno as Host;
        for (guest, host) in [
            (Errno::EPERM, Host::PERM),
            (Errno::ENOENT, Host::NOENT),
            (Errno::EAGAIN, Host::AGAIN),
            (Errno::EXDEV, Host::XDEV),
            (Errno::EPIPE, Host::PIPE),
            (Errno::ENAMETOOLONG, Host::NAMETOOLONG),
            (Errno::ENOSYS, Host::NOSYS),
            (Errno::ENOTEMPTY, Host::NOTEMPTY),
            (Errno::ELOOP, Host::LOOP),
            (Errno::EOVERFLOW, Host::OVERFLOW),
            (Errno::EOPNOTSUPP, Host::OPNOTSUPP),
            (Errno::ETIMEDOUT, Host::TIMEDOUT),
            (Errno::EHWPOISON, Host::HWPOISON),
        ] {
            assert_eq!(guest, Errno::from(host));
        }
    }

    #[test]
    fn names_and_register_values() {
        assert_eq!(format!("{}", Errno::EROFS), "EROFS");
        assert_eq!(format!("{}", Errno(4095)), "errno 4095");
        assert_eq!(Errno::ENOENT.to_ret(), 0xffff_ffff_ffff_fffe);
        assert_eq!(Errno::EAGAIN.name(), Some("EAGAIN"));
    }
}

//! The shared object with a model: the functions of its `shim.h`, whose names begin with the top module's.

use anyhow::{Result, bail};
use std::ffi::{CStr, CString, c_void};
use std::mem::transmute;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

type New = unsafe extern "C" fn() -> *mut c_void;
type OnModel = unsafe extern "C" fn(*mut c_void);
type Eval<I, O> = unsafe extern "C" fn(*mut c_void, *const I, *mut O);

/// The functions of a model whose ports are the structures `I` and `O`.
pub struct Library<I, O> {
    handle: *mut c_void,
    pub new: New,
    pub free: OnModel,
    pub eval: Eval<I, O>,
    pub clock: OnModel,
}

impl<I, O> Library<I, O> {
    pub fn open(path: &Path, top: &str) -> Result<Library<I, O>> {
        let name = CString::new(path.as_os_str().as_bytes())?;
        // SAFETY: the object is the one that `build` made, whose constructors are those of the C++ runtime.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            // SAFETY: after a failure dlerror gives a string that lasts until the next call on this thread.
            let why = unsafe { CStr::from_ptr(libc::dlerror()) }.to_string_lossy().into_owned();
            bail!("loading {}: {why}", path.display());
        }
        let symbol = |what: &str| {
            let name = CString::new(format!("{top}_{what}"))?;
            // SAFETY: the handle is open, the name ends in NUL.
            let at = unsafe { libc::dlsym(handle, name.as_ptr()) };
            if at.is_null() { bail!("{}: no {name:?}", path.display()) } else { Ok(at) }
        };
        // SAFETY: the design's `shim.h` declares these functions with these types, and the object was built from it.
        unsafe {
            Ok(Library {
                handle,
                new: transmute::<*mut c_void, New>(symbol("new")?),
                free: transmute::<*mut c_void, OnModel>(symbol("free")?),
                eval: transmute::<*mut c_void, Eval<I, O>>(symbol("eval")?),
                clock: transmute::<*mut c_void, OnModel>(symbol("clock")?),
            })
        }
    }
}

impl<I, O> Drop for Library<I, O> {
    fn drop(&mut self) {
        // SAFETY: opened by `open`; the model that held it is gone.
        unsafe { libc::dlclose(self.handle) };
    }
}

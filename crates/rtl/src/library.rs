//! The shared object with the model: the functions of `shim.h`.

use crate::model::{Inputs, Outputs};
use anyhow::{Result, bail};
use std::ffi::{CStr, CString, c_void};
use std::mem::transmute;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

type New = unsafe extern "C" fn() -> *mut c_void;
type OnUnit = unsafe extern "C" fn(*mut c_void);
type Eval = unsafe extern "C" fn(*mut c_void, *const Inputs, *mut Outputs);

pub struct Library {
    handle: *mut c_void,
    pub new: New,
    pub free: OnUnit,
    pub eval: Eval,
    pub clock: OnUnit,
}

impl Library {
    pub fn open(path: &Path) -> Result<Library> {
        let name = CString::new(path.as_os_str().as_bytes())?;
        // SAFETY: the object is the one that `model` built, whose constructors are those of the C++ runtime.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            // SAFETY: after a failure dlerror gives a string that lasts until the next call on this thread.
            let why = unsafe { CStr::from_ptr(libc::dlerror()) }.to_string_lossy().into_owned();
            bail!("loading {}: {why}", path.display());
        }
        let symbol = |name: &CStr| {
            // SAFETY: the handle is open, the name ends in NUL.
            let at = unsafe { libc::dlsym(handle, name.as_ptr()) };
            if at.is_null() { bail!("{}: no {name:?}", path.display()) } else { Ok(at) }
        };
        // SAFETY: `shim.h` declares these functions with these types, and the object was built from it.
        unsafe {
            Ok(Library {
                handle,
                new: transmute::<*mut c_void, New>(symbol(c"zvku_new")?),
                free: transmute::<*mut c_void, OnUnit>(symbol(c"zvku_free")?),
                eval: transmute::<*mut c_void, Eval>(symbol(c"zvku_eval")?),
                clock: transmute::<*mut c_void, OnUnit>(symbol(c"zvku_clock")?),
            })
        }
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: opened by `open`; the unit that held it is gone.
        unsafe { libc::dlclose(self.handle) };
    }
}

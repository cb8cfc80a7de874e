//! A Verilator model of any design, called through the C functions of `shim.cpp`.

use crate::Verilator;
use crate::build::{Design, Source};
use anyhow::{Result, bail};
use std::ffi::{CStr, CString, c_void};
use std::mem::transmute;
use std::ops::{Deref, DerefMut};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The parameters of a design, which determine its model and the structures of its ports.
pub trait Parameters {
    /// Inputs of a cycle, with the layout of `struct inputs` in the design's `ports.h`.
    type Inputs;
    /// Outputs of a cycle, with the layout of `struct outputs` in the design's `ports.h`.
    type Outputs: Default;

    /// The design with these parameters.
    fn design(&self) -> Design;
}

/// Widest port in bytes, that of DLEN 512: the size of such a port's field in `ports.h`.
const WIDEST: usize = 64;

/// A port that is DLEN wide. If DLEN is smaller, the first bytes are used.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide([u8; WIDEST]);

impl Default for Wide {
    fn default() -> Wide {
        Wide([0; WIDEST])
    }
}

impl Deref for Wide {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Wide {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

type New = unsafe extern "C" fn() -> *mut c_void;
type OnInstance = unsafe extern "C" fn(*mut c_void);
type Eval<I, O> = unsafe extern "C" fn(*mut c_void, *const I, *mut O);
type Registers = unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> usize;

/// The shared object of a model.
struct Library<I, O> {
    handle: *mut c_void,
    new: New,
    free: OnInstance,
    eval: Eval<I, O>,
    clock: OnInstance,
    /// Of designs that are built with it only.
    registers: Option<Registers>,
}

impl<I, O> Library<I, O> {
    fn open(path: &Path) -> Result<Library<I, O>> {
        let name = CString::new(path.as_os_str().as_bytes())?;
        // It stays loaded, since models may have threads of their own.
        let flags = libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_NODELETE;
        // SAFETY: `Design::build` built the object; its only constructors are those of the C++ runtime.
        let handle = unsafe { libc::dlopen(name.as_ptr(), flags) };
        if handle.is_null() {
            // SAFETY: after a failure, dlerror returns a string that lasts until the next call on this thread.
            let why = unsafe { CStr::from_ptr(libc::dlerror()) }.to_string_lossy().into_owned();
            bail!("loading {}: {why}", path.display());
        }
        let symbol = |name: &CStr| {
            // SAFETY: the handle is open, and the name ends in NUL.
            let at = unsafe { libc::dlsym(handle, name.as_ptr()) };
            if at.is_null() { bail!("{}: no {name:?}", path.display()) } else { Ok(at) }
        };
        // SAFETY: `shim.cpp` defines these functions with these types, and the object was built from it.
        unsafe {
            Ok(Library {
                handle,
                new: transmute::<*mut c_void, New>(symbol(c"model_new")?),
                free: transmute::<*mut c_void, OnInstance>(symbol(c"model_free")?),
                eval: transmute::<*mut c_void, Eval<I, O>>(symbol(c"model_eval")?),
                clock: transmute::<*mut c_void, OnInstance>(symbol(c"model_clock")?),
                registers: symbol(c"model_registers")
                    .ok()
                    .map(|at| transmute::<*mut c_void, Registers>(at)),
            })
        }
    }
}

impl<I, O> Drop for Library<I, O> {
    fn drop(&mut self) {
        // SAFETY: `open` opened it, and the instance that used it has been freed.
        unsafe { libc::dlclose(self.handle) };
    }
}

/// A model of a design with these parameters, and its state.
pub struct Model<P: Parameters> {
    library: Library<P::Inputs, P::Outputs>,
    instance: *mut c_void,
    /// The parameters that it was built with.
    pub parameters: P,
}

impl<P: Parameters> Model<P> {
    /// The model after reset, built in `dir` if necessary.
    ///
    /// # Errors
    /// Verilator or the C++ compiler fails.
    pub fn build(
        verilator: &Verilator,
        source: &Source,
        parameters: P,
        dir: &Path,
    ) -> Result<Model<P>> {
        let object = parameters.design().build(verilator, source, dir)?;
        let library = Library::open(&object)?;
        // SAFETY: takes nothing and returns an instance.
        let instance = unsafe { (library.new)() };
        Ok(Model { library, instance, parameters })
    }

    /// Resets it.
    pub fn reset(&mut self) {
        // SAFETY: the instance is alive, and another one replaces it.
        unsafe {
            (self.library.free)(self.instance);
            self.instance = (self.library.new)();
        }
    }

    /// Applies inputs and returns the outputs in the same cycle.
    pub fn eval(&mut self, inputs: &P::Inputs) -> P::Outputs {
        let mut outputs = P::Outputs::default();
        // SAFETY: the instance is alive, and both structures have the layout of `ports.h`.
        unsafe { (self.library.eval)(self.instance, inputs, &mut outputs) };
        outputs
    }

    /// Every register with its contents, `name=hexadecimal`; `None` if the design is built without.
    pub fn registers(&self) -> Option<Vec<String>> {
        let registers = self.library.registers?;
        // SAFETY: the instance is alive, and nothing is written without room for it.
        let size = unsafe { registers(self.instance, std::ptr::null_mut(), 0) };
        let mut text = vec![0; size];
        // SAFETY: likewise; there is room for `size` bytes.
        unsafe { registers(self.instance, text.as_mut_ptr(), size) };
        Some(String::from_utf8_lossy(&text).lines().map(String::from).collect())
    }

    /// The clock's rising edge.
    pub fn clock(&mut self) {
        // SAFETY: the instance is alive.
        unsafe { (self.library.clock)(self.instance) }
    }
}

impl<P: Parameters> Drop for Model<P> {
    fn drop(&mut self) {
        // SAFETY: `new` returned it, and nothing uses it any more.
        unsafe { (self.library.free)(self.instance) }
    }
}

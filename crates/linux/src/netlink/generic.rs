//! `NETLINK_GENERIC`: its only family is the controller, which lists families (`include/uapi/linux/genetlink.h`).

use super::message::{Message, Request, flag};
use crate::base::errno::{Errno, Result};

/// `GENL_ID_CTRL`.
const CONTROL: u16 = 0x10;
const NAME: &[u8] = b"nlctrl";

/// The answers to a request.
///
/// # Errors
/// `ENOENT` for an unknown family, `EOPNOTSUPP` for another command.
pub fn answer(request: &Request<'_>, port: u32) -> Result<Vec<Vec<u8>>> {
    const NEWFAMILY: u8 = 1;
    const GETFAMILY: u8 = 3;
    /// Bytes of `struct genlmsghdr`.
    const FIXED: usize = 4;
    const FAMILY_ID: u16 = 1;
    const FAMILY_NAME: u16 = 2;
    if request.kind != CONTROL {
        return Err(Errno::ENOENT);
    }
    if request.byte(0) != GETFAMILY {
        return Err(Errno::EOPNOTSUPP);
    }
    let id = request.attribute(FIXED, FAMILY_ID);
    match (id, request.text(FIXED, FAMILY_NAME)) {
        _ if request.is_dump() => {}
        (None, None) => return Err(Errno::EINVAL),
        (Some(id), _) if *id == CONTROL.to_le_bytes() => {}
        (None, Some(NAME)) => {}
        _ => return Err(Errno::ENOENT),
    }
    let multi = if request.is_dump() { flag::MULTI } else { 0 };
    let fixed = [NEWFAMILY, 2, 0, 0];
    let message = Message::new(CONTROL, multi, request, port, &fixed)
        .with(FAMILY_NAME, &[NAME, b"\0"].concat())
        .with(FAMILY_ID, &CONTROL.to_le_bytes())
        // Version, header size, maximum attribute.
        .with_word(3, 2)
        .with_word(4, 0)
        .with_word(5, 10);
    Ok(vec![message.finish()])
}

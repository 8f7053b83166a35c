//! Confinement layers that a platform may not grant.

use std::error::Error;

use rustix::io::Errno;

/// Errors of a system call that the kernel lacks or that a filter refuses.
const NOT_GRANTED: [Errno; 4] = [Errno::PERM, Errno::NOSYS, Errno::INVAL, Errno::OPNOTSUPP];

/// The result of applying a layer; `None` if the kernel does not support it, or does not permit it because a filter of the
/// platform refuses the system call.
pub(super) fn granted<T, E: Error + 'static>(
    layer: &str,
    applied: Result<T, E>,
) -> Result<Option<T>, String> {
    match applied {
        Ok(applied) => Ok(Some(applied)),
        Err(error) if is_not_granted(&error) => Ok(None),
        Err(error) => Err(format!("cannot apply {layer}: {error}")),
    }
}

/// Whether an error was caused by a system call that is not permitted or not supported.
fn is_not_granted(error: &(dyn Error + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |&cause| cause.source());
    let mut errnos = causes.filter_map(|cause| {
        let from_io = || Errno::from_io_error(cause.downcast_ref::<std::io::Error>()?);
        cause.downcast_ref::<Errno>().copied().or_else(from_io)
    });
    errnos
        .next()
        .is_some_and(|errno| NOT_GRANTED.contains(&errno))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unsupported_and_refused_layers_are_left_out() {
        let io = |errno: Errno| std::io::Error::from(errno);
        assert_eq!(granted("x", Ok::<_, Errno>(7)), Ok(Some(7)));
        for errno in NOT_GRANTED {
            assert_eq!(granted("x", Err::<(), _>(errno)), Ok(None));
            let nested = seccompiler::Error::Seccomp(io(errno));
            assert_eq!(granted("x", Err::<(), _>(nested)), Ok(None));
        }
        for errno in [Errno::NOMEM, Errno::FAULT, Errno::ACCESS] {
            assert!(granted("x", Err::<(), _>(errno)).is_err());
            assert!(granted("x", Err::<(), _>(io(errno))).is_err());
        }
        let own = std::io::Error::other("a bug");
        assert!(granted("x", Err::<(), _>(own)).is_err());
    }
}

//! The owner's way in: a Unix socket in the data folder, outside of every limit on connections.
//!
//! Who can reach it can read the owner's key beside it; it gives nobody a right, only a place. A
//! token is asked for as everywhere.

use std::io;
use std::path::{Path, PathBuf};

/// The socket's name in the data folder.
pub const NAME: &str = "glade.sock";

#[cfg(unix)]
pub use unix::OwnerSocket;

#[cfg(not(unix))]
pub enum OwnerSocket {}

/// Listens in the data folder, whose lock is held. Without it the server runs all the same.
pub fn open(data: &Path) -> Option<OwnerSocket> {
    let path = data.join(NAME);
    match listen(path.clone()) {
        Ok(socket) => Some(socket),
        Err(error) => {
            tracing::warn!(
                %error,
                path = %path.display(),
                "there is no socket for the owner: when connections run out the command line finds no place either"
            );
            None
        }
    }
}

#[cfg(not(unix))]
fn listen(_: PathBuf) -> io::Result<OwnerSocket> {
    Err(io::Error::other("this system has no Unix sockets"))
}

#[cfg(unix)]
fn listen(path: PathBuf) -> io::Result<OwnerSocket> {
    OwnerSocket::listen(path)
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, Permissions};
    use std::io::{self, ErrorKind};
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
    use std::path::PathBuf;

    use tokio::net::{UnixListener, UnixStream};

    pub struct OwnerSocket {
        listener: UnixListener,
        path: PathBuf,
    }

    impl OwnerSocket {
        pub fn listen(path: PathBuf) -> io::Result<Self> {
            remove_what_is_left(&path)?;
            let listener = UnixListener::bind(&path)?;
            fs::set_permissions(&path, Permissions::from_mode(0o600))?;
            Ok(Self { listener, path })
        }

        /// The next connection; none if it was somebody else's, who came before the permissions
        /// were set.
        pub async fn accept(&self) -> io::Result<Option<UnixStream>> {
            let (stream, _) = self.listener.accept().await?;
            let theirs = stream.peer_cred()?.uid();
            let ours = rustix::process::geteuid().as_raw();
            Ok((theirs == ours || theirs == 0).then_some(stream))
        }
    }

    impl Drop for OwnerSocket {
        fn drop(&mut self) {
            if let Err(error) = fs::remove_file(&self.path) {
                tracing::debug!(%error, "the owner's socket was gone already");
            }
        }
    }

    /// A server that was killed leaves its socket behind. One that answers is somebody's.
    fn remove_what_is_left(path: &PathBuf) -> io::Result<()> {
        let left = match fs::symlink_metadata(path) {
            Ok(left) => left,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        if !left.file_type().is_socket() {
            return Err(io::Error::new(
                ErrorKind::AlreadyExists,
                "something else is there: move it away and start again",
            ));
        }
        match std::os::unix::net::UnixStream::connect(path) {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => fs::remove_file(path),
            Ok(_) => Err(io::Error::new(
                ErrorKind::AddrInUse,
                "another process answers there",
            )),
            Err(error) => Err(error),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[tokio::test]
        async fn the_socket_is_the_owners_alone_and_goes_with_the_server() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("s");
            let socket = OwnerSocket::listen(path.clone()).unwrap();
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            let (_ours, theirs) = tokio::join!(UnixStream::connect(&path), socket.accept());
            assert!(theirs.unwrap().is_some());
            drop(socket);
            assert!(!path.exists());
        }

        #[tokio::test]
        async fn what_a_killed_server_left_is_replaced_and_what_answers_is_not() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("s");
            drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
            assert!(path.exists(), "left behind");
            let socket = OwnerSocket::listen(path.clone()).unwrap();
            let second = OwnerSocket::listen(path.clone()).err().unwrap();
            assert_eq!(second.kind(), ErrorKind::AddrInUse);
            drop(socket);
            fs::write(&path, "a file").unwrap();
            let third = OwnerSocket::listen(path.clone()).err().unwrap();
            assert_eq!(third.kind(), ErrorKind::AlreadyExists);
            assert_eq!(fs::read_to_string(&path).unwrap(), "a file");
        }

        #[test]
        fn a_path_too_long_for_a_socket_is_said_and_not_fatal() {
            let folder = tempfile::tempdir().unwrap();
            let long = folder.path().join("d".repeat(120));
            fs::create_dir(&long).unwrap();
            assert!(super::super::open(&long).is_none());
        }
    }
}

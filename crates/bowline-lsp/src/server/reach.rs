//! How a server is reached: its program found and started, or its address dialled.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bowline_std::process::{Program, spawn};
use tokio::net::TcpStream;

use super::core::Core;
use crate::known::find_server;
use crate::life::{Birth, Life, Streams};
use crate::{Fault, LspError, Reach};

/// How long a server that runs already may take to accept a connection.
const DIAL: Duration = Duration::from_secs(5);

impl Core {
    pub(super) async fn start(&self) -> Result<Arc<Life>, LspError> {
        let streams = self.reach().await.map_err(|fault| fault.of(self.name()))?;
        let (folders, documents) = (self.folders(), self.left().clone());
        let (spec, root, scope) = (Arc::clone(&self.spec), self.root.clone(), self.scope());
        let birth = Birth { spec, root, folders, documents, scope };
        Life::begin(birth, streams).await
    }

    async fn reach(&self) -> Result<Streams, Fault> {
        match &self.spec.reach {
            Reach::Program { program, args } => {
                let path = self.find(program)?;
                let mut env = self.environment.to_vec();
                env.extend(self.spec.env.iter().map(|(name, value)| (name.into(), value.into())));
                let args = args.iter().map(OsString::from).collect();
                let program = Program { path, args, dir: self.root.clone(), env };
                spawn(&program).await.map(Streams::of_process).map_err(|error| Fault::from(&error))
            }
            Reach::Address(address) => {
                let dialled = tokio::time::timeout(DIAL, TcpStream::connect(address)).await;
                let socket = dialled
                    .map_err(|_| Fault::CannotStart(format!("nobody accepts at `{address}`")))?
                    .map_err(|error| Fault::CannotStart(format!("cannot connect to `{address}`: {error}")))?;
                Ok(Streams::of_socket(socket))
            }
        }
    }

    pub(super) fn find(&self, program: &str) -> Result<PathBuf, Fault> {
        if program.contains(std::path::MAIN_SEPARATOR) {
            return Ok(self.root.join(program));
        }
        let path = self.spec.env.get("PATH").map(OsStr::new);
        // Where a name stands twice, the last one counts, as it does for the process.
        let of_environment = || {
            let named = self.environment.iter().rev().find(|(name, _)| name == "PATH");
            named.map(|(_, value)| value.as_os_str())
        };
        let path = path.or_else(of_environment).unwrap_or_default();
        find_server(program, &self.root, path).map_err(|reason| match reason {
            Some(reason) => Fault::CannotStart(reason),
            None => Fault::NotInstalled,
        })
    }
}

//! The program `capvec`.

use std::process::ExitCode;

use clap::Parser;

mod cmd;

#[derive(Parser)]
#[command(name = "capvec", version)]
enum Capvec {
    Sysroot(cmd::sysroot::Args),
}

fn main() -> ExitCode {
    let Capvec::Sysroot(args) = Capvec::parse();
    cmd::sysroot::run(args).unwrap_or_else(|error| {
        eprintln!("capvec: {error:#}");
        ExitCode::FAILURE
    })
}

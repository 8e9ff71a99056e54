// no code: see Cargo.toml

mod draw;
mod gallery;
mod laws;
mod plain;
mod speed;

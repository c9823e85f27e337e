mod draw;
mod gallery;
mod plain;

"""Methods: one file each; importing this package fills the registry."""

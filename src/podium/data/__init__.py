"""Values: frozen, with read-only arrays; all that passes between layers."""

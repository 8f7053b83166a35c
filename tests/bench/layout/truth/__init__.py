"""Documents whose structure is known because they are written here."""

"""Generated documents with known structure."""

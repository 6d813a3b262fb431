"""Tournaments: a module a resource; what they share is in `base`."""

"""The error type of the local stack."""


class StackError(Exception):
    """The local stack cannot run. The message states the cause and what to do."""

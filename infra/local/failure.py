"""The one kind of error that a person running the local stack sees: what is wrong, and how to mend it."""


class StackError(Exception):
    """Something that stops the local stack; its text says what to do about it."""

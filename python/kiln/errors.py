"""The exception by which a cell fails."""


class KilnError(Exception):
    """What is wrong with the cell, its line or its kernel."""

    def _render_traceback_(self):
        """IPython shows this in the place of a traceback: the lines of this package explain nothing to the user."""
        return [f"KilnError: {self}"]

"""The sentences that explain the events of a trace."""

"""Documents with several parts: worksheets, notebooks and the frames of slides."""

"""The steps of a kernel at one node, such as move ordering and repetition, and the records that they use."""

"""The figures of the README, each printed in one run beside what it is compared with."""

"""The engines that answer questions: sampling, enumeration and plain dice arithmetic."""

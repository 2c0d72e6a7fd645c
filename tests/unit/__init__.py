"""Does this small thing do what its docstring says?"""

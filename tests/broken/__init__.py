"""Members that are wrong on purpose, each with the right one beside it: what the contract tests must refuse and accept.

Each has its `RIGHT` member, and `BROKEN` ones by what is wrong with them; all of them name worked examples that hold.
"""

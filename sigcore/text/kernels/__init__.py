"""The compiled inner loops; import them only inside functions, since numba comes with them."""

"""The data checks: what is odd about files that agree in length."""

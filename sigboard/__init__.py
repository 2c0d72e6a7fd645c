"""The product around the science: screen, command line, figures and reports."""

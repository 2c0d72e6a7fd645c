"""The application around the core: screen, command line, figures and reports."""

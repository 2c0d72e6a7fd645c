"""Numbers to Plotly figures; pure functions."""

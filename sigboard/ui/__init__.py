"""What only Streamlit needs."""

"""What must hold for all inputs."""

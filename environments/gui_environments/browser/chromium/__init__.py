"""The program: found, started, shown on a screen or not, ended with all it left."""

"""What is sent to the model and how little of it: the thread or the whole history, old pictures left out, the cache."""

"""Players made of code. Each gets what a person in that seat gets, and nothing else."""

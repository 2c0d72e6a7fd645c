"""Is every member of a wing a good member?"""

"""Is every member of a family a good member?"""

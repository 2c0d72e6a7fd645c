"""Do we get the published number?"""

"""Do p-values mean what they say?"""

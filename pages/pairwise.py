"""Which system is preferred?"""

from sigboard.questions.pairwise import page

page.show()

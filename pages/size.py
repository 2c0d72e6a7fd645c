"""How many segments do I need?"""

from sigboard.questions.size import page

page.show()

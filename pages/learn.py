"""How does each test decide?"""

from sigboard.questions.learn import page

page.show()

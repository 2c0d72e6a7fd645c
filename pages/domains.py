"""Will it hold elsewhere?"""

from sigboard.questions.domains import page

page.show()

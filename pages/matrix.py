"""Which of my systems differ?"""

from sigboard.questions.matrix import page

page.show()

"""Does the paper's claim hold here?"""

from sigboard.questions.reproduce import page

page.show()

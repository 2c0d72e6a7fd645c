"""Do the metrics and tests agree with people?"""

from sigboard.questions.human import page

page.show()

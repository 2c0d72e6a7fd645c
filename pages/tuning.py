"""Did tuning help?"""

from sigboard.questions.tuning import page

page.show()

"""What do I hand in?"""

from sigboard.questions.report import page

page.show()

"""What do per-document scores say?"""

from sigboard.questions.scores import page

page.show()

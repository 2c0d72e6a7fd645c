"""Is A really better than B?"""

from sigboard.questions.compare import page

page.show()

"""Who is first, and who is tied?"""

from sigboard.questions.rank import page

page.show()

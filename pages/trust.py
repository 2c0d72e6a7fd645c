"""Does my test hold its level on my data?"""

from sigboard.questions.trust import page

page.show()

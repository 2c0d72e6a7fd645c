"""What have I loaded, and is it sound?"""

from sigboard.questions.data import page

page.show()

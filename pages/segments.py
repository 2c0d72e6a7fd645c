"""Where does the difference come from?"""

from sigboard.questions.segments import page

page.show()

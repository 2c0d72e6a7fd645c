"""How large a gain is usually real?"""

from sigboard.questions.gain import page

page.show()

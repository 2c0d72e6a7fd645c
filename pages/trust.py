"""Does my test keep its false-alarm rate on my data?"""

from sigboard.questions.trust import page

page.show()

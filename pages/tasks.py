"""Which system is better on several tasks?"""

from sigboard.questions.tasks import page

page.show()

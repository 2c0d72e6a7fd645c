"""A class room: phones predict, the teacher reveals."""

from sigboard.questions.room import page

page.show()

"""A class room: phones predict, the teacher reveals."""

from sigboard.questions.learn.room import page

page.show()

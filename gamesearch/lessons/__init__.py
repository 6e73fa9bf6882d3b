"""Lessons: Markdown files with commands, figures, questions and exercises, which a student plays step by step.

`lesson.py` reads a lesson, `questions.py` computes the answers, and `session.py` contains the state of a student.
"""

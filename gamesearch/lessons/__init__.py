"""Lessons: Markdown files with commands, figures, questions and exercises, which a student works through step by step.

`lesson.py` reads a lesson, `questions.py` computes the answers, and `session.py` contains a student's session.
"""

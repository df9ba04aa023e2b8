"""What callers asked before: conversations with their turns, what is shared of them, and how answers were rated."""

"""The whole stack on this machine: MiniStack in AWS's place, the same templates, the same functions."""

"""The AWS resources of Ragstone as a CDK app: two stacks an environment.

Lines that ignore `reportArgumentType` pass a construct as one of CDK's interfaces, whose parameters CDK names otherwise
than in the classes that implement them.
"""

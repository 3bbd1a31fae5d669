"""Points for a project: a scheme maps findings to points, written in the formats of systems that grade by machine."""

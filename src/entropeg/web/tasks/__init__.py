"""The work that processes do for the server: functions of plain data, one module a resource."""

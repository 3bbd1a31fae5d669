"""The decorators of functions that only kernels call: part of their machine code, or plain Python."""

from entropeg.kernels.switch import can_compile

if can_compile():
    from entropeg.kernels._embedded import allocating_inner, inner
else:
    from entropeg.kernels._interpreted import allocating_inner, inner

__all__ = ["allocating_inner", "inner"]

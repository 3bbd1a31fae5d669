"""The decorators of all kernels: compiled where there is a compiler, else plain Python."""

from entropeg.kernels.switch import can_compile

if can_compile():
    from entropeg.kernels._compiled import allocating_kernel, kernel
else:
    from entropeg.kernels._interpreted import allocating_kernel, kernel

__all__ = ["allocating_kernel", "kernel"]

"""Sets of questions that tell all secrets apart: how many parts each question more would leave, and the search for one.

A group is the number of the part that a secret is in; two secrets are told apart once their groups differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import allocating_kernel

Array = Any


@allocating_kernel
def parts_with_each(labels: Array, group: Array, width: int, parts: Array) -> None:
    """Write how many parts each question would leave, asked besides.

    labels: uint16[questions, secrets], less than `width`. group: int64[secrets], from 0 to less than their number.
    parts: int64[questions].
    """
    seen = np.full(len(group) * width, -1, np.int64)
    for question in range(len(labels)):
        count = 0
        for secret in range(len(group)):
            key = group[secret] * width + labels[question, secret]
            if seen[key] != question:
                seen[key] = question
                count += 1
        parts[question] = count


@allocating_kernel
def find_apart(labels: Array, rows: Array, fixed: int, width: int, chosen: Array, counts: Array, stop: Array) -> bool:
    """Look for a set of questions that tells all secrets apart, the first of them given; write it to `chosen`.

    labels: uint16[questions, secrets], less than `width`. rows: int64, the questions that may follow, which they do in
    this order. chosen: int64[K], for sets of K questions, of which the first `fixed` are given, less than K. counts:
    int64[1], the questions tried so far. Returns False where there is no such set, and where `stop[0]` was set
    meanwhile. A part of more than width^r secrets is never told apart by r questions: there a set is given up.
    """
    size, questions, most = len(chosen), len(rows), labels.shape[1]
    group = np.zeros((size + 1, most), np.int64)
    number = np.zeros(most * width, np.int64)
    seen = np.full(most * width, -1, np.int64)
    count = np.zeros(most, np.int64)
    following = np.zeros(size, np.int64)
    depth = mark = 0
    while depth >= 0 and stop[0] == 0:
        at = following[depth]
        following[depth] += 1
        if at >= (questions if depth >= fixed else 1):
            depth -= 1
            continue
        counts[0] += 1
        mark += 1
        if depth >= fixed:
            chosen[depth] = rows[at]
        question = chosen[depth]
        # 1. The last question must leave no two secrets together.
        if depth == size - 1:
            is_apart = True
            for secret in range(most):
                key = group[depth, secret] * width + labels[question, secret]
                if seen[key] == mark:
                    is_apart = False
                    break
                seen[key] = mark
            if is_apart:
                return True
            continue
        # 2. Another one parts them further, and no part may be too large for the questions that are left.
        cap = 1
        for _ in range(size - depth - 1):
            cap = min(cap * width, most)
        parts = 0
        is_small = True
        for secret in range(most):
            key = group[depth, secret] * width + labels[question, secret]
            if seen[key] != mark:
                seen[key] = mark
                number[key] = parts
                count[parts] = 0
                parts += 1
            here = number[key]
            group[depth + 1, secret] = here
            count[here] += 1
            if count[here] > cap:
                is_small = False
                break
        if is_small:
            following[depth + 1] = at + 1 if depth >= fixed else 0
            depth += 1
    return False

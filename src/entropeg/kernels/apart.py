"""Sets of questions that tell all secrets apart: how many parts each question more would leave, and the search for one.

A group is the number of the part that a secret is in; two secrets are told apart once their groups differ.
"""

from __future__ import annotations

import numpy as np

from entropeg.kernels.compile import Array, allocating_kernel, inner


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


@inner
def _part_further(group: Array, labels: Array, width: int, cap: int, finer: Array, seen: Array, count: Array) -> bool:
    """Write the parts that a question leaves; False where one is larger than `cap`. seen: -1, as it stays."""
    parts = 0
    is_small = True
    for secret in range(len(group)):
        key = group[secret] * width + labels[secret]
        if seen[key] < 0:
            seen[key] = parts
            count[parts] = 0
            parts += 1
        finer[secret] = seen[key]
        count[seen[key]] += 1
        is_small &= count[seen[key]] <= cap
    for secret in range(len(group)):
        seen[group[secret] * width + labels[secret]] = -1
    return is_small


@inner
def _hard_pairs(group: Array, across: Array, allowed: Array, first: Array, pairs: Array, apart: Array) -> int:
    """Write some pairs of secrets of the same part, those that the fewest questions tell apart first; returns how many.

    across: uint16[secrets, questions]. allowed: uint8[questions], 1 where a question may be asked. first: scratch.
    """
    number = 0
    first[:] = -1
    for secret in range(len(group)):
        other = first[group[secret]]
        first[group[secret]] = secret
        if other < 0:
            continue
        told = 0
        one, two = across[secret], across[other]
        for question in range(len(allowed)):
            told += allowed[question] & (one[question] != two[question])
        place = number
        if number == len(pairs):
            if told >= apart[number - 1]:
                continue
            place -= 1
        else:
            number += 1
        while place and apart[place - 1] > told:
            pairs[place, 0], pairs[place, 1] = pairs[place - 1, 0], pairs[place - 1, 1]
            apart[place] = apart[place - 1]
            place -= 1
        pairs[place, 0], pairs[place, 1], apart[place] = other, secret, told
    return number


@inner
def _is_apart(group: Array, labels: Array, width: int, seen: Array) -> bool:
    """Whether a question leaves no two secrets together. seen: -1 everywhere, as it stays."""
    until = len(group)
    for secret in range(len(group)):
        key = group[secret] * width + labels[secret]
        if seen[key] >= 0:
            until = secret
            break
        seen[key] = secret
    for secret in range(until):
        seen[group[secret] * width + labels[secret]] = -1
    return until == len(group)


@inner
def _lay_bits(allowed: Array, across: Array, pairs: Array, words: Array, telling: Array) -> None:
    """Write bits of questions: to `words` those allowed, to `telling`, for each pair, those that tell it apart."""
    words[:] = 0
    telling[: len(pairs)] = 0
    for question in range(len(allowed)):
        words[question // 64] |= np.uint64(allowed[question]) << np.uint64(question % 64)
        for at in range(len(pairs)):
            told = across[pairs[at, 0], question] != across[pairs[at, 1], question]
            telling[at, question // 64] |= np.uint64(told) << np.uint64(question % 64)


@inner
def _left_for_last(labels: Array, pairs: Array, words: Array, telling: Array, alive: Array) -> bool:
    """Write the bits of the questions that tell each pair apart that a question leaves; whether any is left."""
    for word in range(len(words)):
        alive[word] = words[word]
    for at in range(len(pairs)):
        if labels[pairs[at, 0]] == labels[pairs[at, 1]]:
            is_left = False
            for word in range(len(words)):
                alive[word] &= telling[at, word]
                is_left |= alive[word] != 0
            if not is_left:
                return False
    return True


@allocating_kernel
def find_apart(
    labels: Array, across: Array, rows: Array, fixed: int, width: int, chosen: Array, counts: Array, stop: Array
) -> bool:
    """Look for a set of questions that tells all secrets apart, the first of them given; write it to `chosen`.

    labels: uint16[questions, secrets], less than `width`; across: the same, the secrets first. rows: int64, the
    questions that may follow. chosen: int64[K], for sets of K questions, of which the first `fixed` are given, at most
    K - 2 unless K is 1. counts: int64[1], the questions tried so far. Returns False where there is no such set, and
    where `stop[0]` was set meanwhile. One of the questions that follow has to tell any two secrets apart that are still
    together: those that do are tried for the two with the fewest, and each of them no more after it. A part of more
    than width^r secrets is never told apart by r questions: there a set is given up.
    """
    size, most = len(chosen), labels.shape[1]
    group = np.zeros((size + 1, most), np.int64)
    seen = np.full(most * width, -1, np.int64)
    count = np.zeros(most, np.int64)
    if size == 1:
        for row in rows:
            counts[0] += 1
            if _is_apart(group[0], labels[row], width, seen):
                chosen[0] = row
                return True
        return False
    allowed = np.zeros((size + 1, len(labels)), np.uint8)
    pairs, apart = np.zeros((size + 1, 200, 2), np.int64), np.zeros(200, np.int64)
    number, following = np.zeros(size + 1, np.int64), np.zeros(size + 1, np.int64)
    # Bits of questions: those that may be asked, those that tell two secrets apart, and those that tell some apart.
    words = np.zeros((len(labels) + 63) // 64, np.uint64)
    telling, alive = np.zeros((pairs.shape[1], len(words)), np.uint64), words.copy()
    for depth in range(fixed):
        _part_further(group[depth], labels[chosen[depth]], width, most, group[depth + 1], seen, count)
    depth = fixed
    allowed[depth, rows] = 1
    is_new = True
    while stop[0] == 0:
        if is_new:
            is_new = False
            following[depth] = 0
            number[depth] = _hard_pairs(group[depth], across, allowed[depth], count, pairs[depth], apart)
            if number[depth] == 0:
                # All are told apart already: any questions will do, and are in the end taken off by the caller.
                chosen[depth:] = chosen[depth - 1] if depth else rows[0]
                return True
            if depth == size - 2:
                _lay_bits(allowed[depth], across, pairs[depth, : number[depth]], words, telling)
        one, two = across[pairs[depth, 0, 0]], across[pairs[depth, 0, 1]]
        row = following[depth]
        while row < len(labels) and not (allowed[depth, row] and one[row] != two[row]):
            row += 1
        if row == len(labels):
            if depth == fixed:
                return False
            depth -= 1
            continue
        following[depth] = row + 1
        allowed[depth, row] = 0
        chosen[depth] = row
        counts[0] += 1
        if depth < size - 2:
            cap = 1
            for _ in range(size - depth - 1):
                cap = min(cap * width, most)
            if _part_further(group[depth], labels[row], width, cap, group[depth + 1], seen, count):
                allowed[depth + 1] = allowed[depth]
                depth += 1
                is_new = True
            continue
        # The last question has to tell apart what the last but one leaves together.
        words[row // 64] &= ~(np.uint64(1) << np.uint64(row % 64))
        is_left = _left_for_last(labels[row], pairs[depth, : number[depth]], words, telling, alive)
        if is_left and _part_further(group[depth], labels[row], width, width, group[depth + 1], seen, count):
            for last in range(len(labels)):
                if not alive[last // 64] >> np.uint64(last % 64) & np.uint64(1):
                    continue
                counts[0] += 1
                if _is_apart(group[depth + 1], labels[last], width, seen):
                    chosen[depth + 1] = last
                    return True
    return False

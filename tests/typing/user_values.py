"""Rules, codes, feedback, positions and parts, as a program of a user has them."""

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import entropeg
from entropeg import (
    CodeSet,
    Feedback,
    Partition,
    Position,
    Rules,
    format_code,
    format_feedback,
    parse_code,
    parse_feedback,
    perft,
    score,
)
from entropeg.codes import guesses, random_secret, secrets, weights
from entropeg.feedback import AnyFeedback
from entropeg.position import Turn

rules = Rules.parse("4x6")
assert_type(rules, Rules)
assert_type(rules.pegs, int)
assert_type(rules.guess_limit, int | None)
assert_type(Rules(pegs=3, colors=4), Rules)

code = parse_code("AABB", "4x6")
assert_type(code, tuple[int, ...])
assert_type(format_code(code, rules), str)
assert_type(format_code([0, 0, 1, 1], "4x6"), str)
assert_type(random_secret(rules, np.random.default_rng(1)), tuple[int, ...])

feedback = score(code, "ABCD", rules)
assert_type(feedback, AnyFeedback)
assert_type(feedback.black, int)
assert_type(feedback.white, int)
assert_type(parse_feedback("XO", rules), AnyFeedback)
assert_type(format_feedback((1, 2)), str)
assert_type(Feedback(black=1, white=2), Feedback)

codes = secrets("3x4")
assert_type(codes, CodeSet)
assert_type(codes[0], tuple[int, ...])
assert_type(codes[:5], CodeSet)
assert_type(list(codes[:2]), list[tuple[int, ...]])
assert_type(CodeSet.of(["AAB", (0, 1, 2)], "3x4"), CodeSet)
assert_type(codes.index_of("ABC"), int | None)
assert_type(codes.consistent([("AAB", "XO")]), CodeSet)

assert_type(codes.planes, NDArray[np.unsignedinteger[Any]])
assert_type(codes.counts, NDArray[np.unsignedinteger[Any]])
assert_type(codes.present, NDArray[np.bool_])
assert_type(codes.ranks, NDArray[np.int64])
assert_type(codes.chances, NDArray[np.float64])
assert_type(codes.find(guesses("3x4")), NDArray[np.int64])
assert_type(codes.score("AAB"), NDArray[np.unsignedinteger[Any]])
assert_type(codes.parts("AAB"), tuple[NDArray[np.unsignedinteger[Any]], NDArray[np.int64]])
assert_type(codes.labels(codes[:3]), NDArray[np.unsignedinteger[Any]])
assert_type(codes.part_sizes(codes[:3]), NDArray[np.int32])
assert_type(weights("3x4"), NDArray[np.float64])
# The types are those that the arrays have.
labels, sizes = codes.parts("AAB")
small = [codes.planes, codes.counts, codes.score("AAB"), labels, codes.labels(codes[:3])]
assert {array.dtype for array in small} == {np.dtype(np.uint8)}
assert [codes.present.dtype, codes.part_sizes(codes[:3]).dtype] == [np.bool_, np.int32]
assert [codes.ranks.dtype, codes.find(guesses("3x4")).dtype, sizes.dtype] == [np.int64] * 3
assert [codes.chances.dtype, weights("3x4").dtype] == [np.float64] * 2

position = Position("4x6", ["AABB XO", ("CCDD", (0, 1)), ((0, 1, 2, 3), Feedback(1, 1))])
assert_type(position, Position)
assert_type(position.after("AABB", "X"), Position)
assert_type(position.rules, Rules)
assert_type(position.turns, tuple[Turn, ...])
assert_type(position.turns[0].guess, tuple[int, ...])
assert_type(position.turns[0].feedback, AnyFeedback)
assert_type(position.candidates, CodeSet)
assert_type(position.is_over, bool)
assert_type(position.parent, Position | None)
assert_type(position.conflict(), tuple[int, ...])

partition = Partition.of(position.candidates, "AABC")
assert_type(partition, Partition)
assert_type(partition.bits, float)
assert_type(partition.largest, int)
assert_type(partition.sizes, dict[AnyFeedback, int])
assert_type(partition.chances, dict[AnyFeedback, float] | None)

assert_type(perft("3x3", 1), int)
assert_type(entropeg.__version__, str)
assert_type(entropeg.codes.secrets("2x2"), CodeSet)

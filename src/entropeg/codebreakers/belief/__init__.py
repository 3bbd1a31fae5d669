"""The codebreaker `belief`, for 30 pegs and more: a chance for each color on each peg, by belief propagation."""

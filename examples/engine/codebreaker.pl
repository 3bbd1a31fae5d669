#!/usr/bin/perl
# A codebreaker in Perl that speaks the protocol: the first code, in order, that every answer so far allows.
use strict;
use warnings;

$| = 1;    # answer at once
my (%rules, @turns);

# Black and white of a guess against a secret.
sub score {
    my ($guess, $secret) = @_;
    my ($black, $both, %count) = (0, 0);
    $count{$_}++ for @$secret;
    for my $peg (0 .. $#$guess) {
        $black++ if $guess->[$peg] == $secret->[$peg];
        $both++ if $count{ $guess->[$peg] } && $count{ $guess->[$peg] }-- > 0;
    }
    return $black . ' ' . ($both - $black);
}

# The code with a given number, its first peg counting most.
sub code {
    my ($number) = @_;
    my @code;
    for (1 .. $rules{pegs}) {
        unshift @code, $number % $rules{colors};
        $number = int($number / $rules{colors});
    }
    return \@code;
}

sub first_possible {
    CODE: for my $number (0 .. $rules{colors}**$rules{pegs} - 1) {
        my $code = code($number);
        for my $turn (@turns) {
            next CODE if score($turn->[0], $code) ne $turn->[1];
        }
        return $code;
    }
    return;
}

while (my $line = <STDIN>) {
    my ($word, @rest) = split ' ', $line;
    next unless defined $word;
    if ($word eq 'mastermind') {
        print "name perl\nrole codebreaker\nready\n";
    }
    elsif ($word eq 'new') {
        shift @rest;
        %rules = map { split /=/ } @rest;
        @turns = ();
    }
    elsif ($word eq 'turn') {
        my ($guess, $answer) = split / : /, join ' ', @rest;
        push @turns, [[split / /, $guess], $answer];
    }
    elsif ($word eq 'go') {
        my $code = first_possible();
        print $code ? 'guess ' . join(' ', @$code) . "\n" : "error no code fits\n";
    }
    elsif ($word eq 'quit') {
        last;
    }
}

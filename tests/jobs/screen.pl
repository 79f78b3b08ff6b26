#!/usr/bin/perl
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

# What is on the screens of an Xvfb with -fbdir DIR, read from the file of each (the format of xwd); of Debian's perl.
#   screen.pl wait DIR SCREEN SECONDS [PART]    until this part of the screen, a twentieth, is not black; status 1: it stays
#   screen.pl colour DIR SCREEN SECONDS [PART]  until so much is of strong colours, as test pictures are and pages are not
#   screen.pl page DIR SCREEN SECONDS [PART]    until so much is dark of a screen that is bright, as a page with text is
#   screen.pl rate DIR SCREEN SECONDS           different pictures a second, of 100 looks at most
#   screen.pl flash DIR FROM TO COUNT           makes screen FROM white and black, and prints the ms until screen TO is so
#   screen.pl ppm DIR SCREEN                    as a picture
use strict;
use warnings;
use Time::HiRes qw(clock_gettime sleep CLOCK_MONOTONIC);

my ($what, $folder, @rest) = @ARGV;

sub screen {
  my ($number) = @_;
  open my $file, '+<:raw', "$folder/Xvfb_screen$number" or die "screen $number: $!\n";
  sysread $file, my $head, 100;
  my @fields = unpack 'N25', $head;
  return {file => $file, offset => $fields[0] + 12 * $fields[19], width => $fields[4], height => $fields[5],
    line => $fields[12]};
}

# Four bytes a point: blue, green, red, unused.
sub bytes_of {
  my ($screen, $y, $lines) = @_;
  sysseek $screen->{file}, $screen->{offset} + $y * $screen->{line}, 0;
  sysread $screen->{file}, my $bytes, $lines * $screen->{line};
  return $bytes;
}

# The part of some lines of points for which a test of (blue, green, red) is true.
sub part {
  my ($screen, $test) = @_;
  my ($points, $hits) = (0, 0);
  for (my $y = 4; $y < $screen->{height}; $y += 16) {
    my @bytes = unpack 'C*', bytes_of($screen, $y, 1);
    for (my $x = 0; $x < 4 * $screen->{width}; $x += 32) {
      $points++;
      $hits++ if $test->(@bytes[$x, $x + 1, $x + 2]);
    }
  }
  return $hits / $points;
}

sub is_lit { return $_[0] + $_[1] + $_[2] > 90 }
sub is_strong {
  my ($least, undef, $most) = sort { $a <=> $b } @_;
  return $most - $least > 100;
}

sub is_bright { return $_[0] + $_[1] + $_[2] > 600 }
sub is_dark { return $_[0] + $_[1] + $_[2] < 450 }

sub now_s { return clock_gettime(CLOCK_MONOTONIC) }
sub wait_for {
  my ($seconds, $test) = @_;
  my $end = now_s() + $seconds;
  while (!$test->()) {
    return 0 if now_s() > $end;
    sleep 0.01;
  }
  return 1;
}

sub lit_for {
  my ($test) = @_;
  my $screen = screen($rest[0]);
  return wait_for($rest[1], sub { part($screen, $test) > ($rest[2] // 0.05) });
}

sub has_page {
  my $screen = screen($rest[0]);
  return wait_for($rest[1], sub { part($screen, \&is_bright) > 0.5 && part($screen, \&is_dark) > ($rest[2] // 0.05) });
}

sub rate {
  my ($screen, $changes, $last) = (screen($rest[0]), -1, -1);
  my $end = now_s() + $rest[1];
  while (now_s() < $end) {
    my $sum = unpack '%32N*', bytes_of($screen, 0, $screen->{height});
    $changes++ if $sum != $last;
    $last = $sum;
    sleep 0.01;
  }
  printf "%.1f\n", $changes / $rest[1];
}

# The middle of the other screen says which one it is.
sub flash {
  my ($from, $to) = (screen($rest[0]), screen($rest[1]));
  for my $turn (1 .. $rest[2]) {
    my $white = $turn % 2;
    sleep 0.4 + rand 0.1;
    my $began = now_s();
    sysseek $from->{file}, $from->{offset}, 0;
    syswrite $from->{file}, ($white ? "\xff" : "\0") x ($from->{line} * $from->{height});
    my $seen = wait_for(5, sub {
      my $middle = substr bytes_of($to, $to->{height} / 2, 1), 2 * $to->{width} & ~3, 3;
      my ($blue, $green, $red) = unpack 'C3', $middle;
      return ($green > 128) == $white;
    });
    printf "%d\n", $seen ? (now_s() - $began) * 1000 : -1;
  }
}

sub ppm {
  my $screen = screen($rest[0]);
  binmode STDOUT;
  print "P6 $screen->{width} $screen->{height} 255\n";
  my @bytes = unpack 'C*', bytes_of($screen, 0, $screen->{height});
  for (my $i = 0; $i + 3 < @bytes; $i += 4) {
    print pack 'C3', @bytes[$i + 2, $i + 1, $i];
  }
}

my %works = (wait => sub { exit !lit_for(\&is_lit) }, colour => sub { exit !lit_for(\&is_strong) },
  page => sub { exit !has_page() },
  rate => \&rate, flash => \&flash, ppm => \&ppm);
($works{$what // ''} // sub { die "screen.pl: what?\n" })->();

package org.troupe.satin.programs;

import ibis.satin.Spawnable;

interface FibInterface extends Spawnable {
  long fib(int n);
}

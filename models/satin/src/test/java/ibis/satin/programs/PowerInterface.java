package ibis.satin.programs;

import ibis.satin.Spawnable;

interface PowerInterface extends Spawnable {
  long power(int n);
}

package org.troupe.classics.alltoall;

/** Sends all parts before it receives any; the next rank's first, so that not all send to one. */
class ConcurrentExchange extends AllToAllMember {

  @Override
  protected void exchange(int count) {
    label(count);
    for (var distance = 1; distance < spmd().size(); distance++) {
      spmd().send(after(distance), part(after(distance)));
    }
    var own = spmd().rank();
    copy(part(own), place(own));
    for (var distance = 1; distance < spmd().size(); distance++) {
      spmd().receive(after(-distance), place(after(-distance)));
    }
  }
}

package org.troupe.classics.alltoall;

/**
 * Sends all parts before it receives any. Each member begins with the next rank, so that not all
 * send to the same member at a time.
 */
class ConcurrentExchange extends AllToAllMember {

  @Override
  protected void exchange(int count) {
    mark(count);
    for (var distance = 1; distance < spmd().size(); distance++) {
      spmd().send(rankAt(distance), part(rankAt(distance)));
    }
    var own = spmd().rank();
    copy(part(own), receivedPart(own));
    for (var distance = 1; distance < spmd().size(); distance++) {
      spmd().receive(rankAt(-distance), receivedPart(rankAt(-distance)));
    }
  }
}

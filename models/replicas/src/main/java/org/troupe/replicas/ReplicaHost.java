package org.troupe.replicas;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;

/** The active object behind a replica: passes messages of the other members to it. */
class ReplicaHost implements ReplicaMember {

  private @Nullable Replica replica;

  ReplicaHost() {}

  private Replica replica() {
    var known = replica;
    if (known == null) {
      known = new Replica(ActiveObjects.self(ReplicaMember.class).stub());
      replica = known;
    }
    return known;
  }

  @Override
  public void receive(OrderMessage message) {
    replica().receive(message);
  }

  @Override
  public boolean begin(OrderMessage.State state) {
    replica().receive(state);
    return true;
  }

  @Override
  public Place order(Change.Write write) {
    return replica().order(write);
  }

  @Override
  public boolean join(ReplicaMember newcomer) {
    return replica().join(newcomer);
  }

  @Override
  public void end(String why) {
    replica().end(why);
  }
}

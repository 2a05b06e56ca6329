package org.troupe.replicas;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LifeCycle;

/** The active object behind a replica: passes messages of the other members to it. */
class ReplicaHost implements ReplicaMember, LifeCycle {

  private @Nullable OrderDriver driver; // after begin or join, which are the first calls

  ReplicaHost() {}

  private static ReplicaMember self() {
    return ActiveObjects.self(ReplicaMember.class).stub();
  }

  @Override
  public boolean begin(Object object) {
    driver = OrderDriver.ofFirst(self(), object);
    return true;
  }

  @Override
  public CompletableFuture<Boolean> join(List<ReplicaMember> members) {
    var newcomer = OrderDriver.ofNewcomer(self(), members);
    driver = newcomer;
    return newcomer.joined();
  }

  @Override
  public void receive(List<OrderMessage> messages) {
    Objects.requireNonNull(driver, "no member sends to one that has not begun").receive(messages);
  }

  @Override
  public void ended() {
    if (driver != null) {
      driver.end("its node leaves, or the replica has failed; the log of the node has the reason");
    }
  }
}

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
  private boolean isOver; // only the name of the object is left

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
  public CompletableFuture<Joined> join(List<ReplicaMember> members) {
    var newcomer = OrderDriver.ofNewcomer(self(), members);
    driver = newcomer;
    return newcomer.joined();
  }

  private OrderDriver driver() {
    return Objects.requireNonNull(driver, "it begins or joins before it is known to others");
  }

  @Override
  public CompletableFuture<Boolean> close() {
    return isOver ? CompletableFuture.completedFuture(true) : driver().close();
  }

  @Override
  public OrderMessage.@Nullable Numbered number(OrderMessage.Proposal proposal) {
    return isOver ? null : driver().number(proposal);
  }

  @Override
  public void receive(List<OrderMessage> messages) {
    if (isOver) {
      messages.forEach(ReplicaHost::refuse);
      return;
    }
    driver().receive(messages);
    if (driver().isOver()) {
      isOver = true;
      driver = null;
    }
  }

  private static void refuse(OrderMessage message) {
    if (message instanceof OrderMessage.Join(ReplicaMember newcomer)) {
      newcomer.receive(List.of(new OrderMessage.Closed()));
    }
  }

  @Override
  public void ended() {
    if (driver != null) {
      driver.end("its node leaves, or the replica has failed; the log of the node has the reason");
    }
  }
}

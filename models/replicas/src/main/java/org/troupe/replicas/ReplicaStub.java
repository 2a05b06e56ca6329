package org.troupe.replicas;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.CompositeStub;
import org.troupe.stubs.Stubs;

/**
 * Handles the calls on a stub of a replicated object. The stub travels as the identity of the
 * object; at its receiver it stands for the replica of that node.
 */
final class ReplicaStub implements CompositeStub {

  private final ReplicaMember identity;
  private @Nullable Replica replica; // found at the first call, if the stub has arrived

  ReplicaStub(ReplicaMember identity, @Nullable Replica replica) {
    this.identity = identity;
    this.replica = replica;
  }

  @Override
  public List<?> parts() {
    return List.of(identity);
  }

  @Override
  public @Nullable Object call(int method, @Nullable Object[] arguments) throws Throwable {
    var known = replica;
    if (known == null) {
      known = Replica.here(identity);
      replica = known;
    }
    if (known.isRead(method)) {
      return known.read(method, arguments);
    }
    return known.isLocal(method) ? local(known, method, arguments) : known.write(method, arguments);
  }

  private Object local(Replica known, int method, @Nullable Object[] arguments) {
    return switch (known.nameOf(method)) {
      case "equals" ->
          Stubs.handlerOf(arguments[0]) instanceof ReplicaStub other
              && other.identity.equals(identity);
      case "hashCode" -> identity.hashCode();
      default -> known.toString();
    };
  }
}

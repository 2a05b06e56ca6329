package org.troupe.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Ref;
import org.troupe.testing.Polling;

/** Clients of a replicated object on nodes that have just joined. */
final class CreatedClients {

  private CreatedClients() {}

  /** Creates a client as soon as its node has a replica. */
  static <T> Ref<T> of(Supplier<T> creation) {
    List<T> created = new ArrayList<>();
    Polling.until(
        "the node has a replica",
        () -> {
          try {
            return created.add(creation.get());
          } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("has no replica"); // it is joining
            return false;
          }
        });
    return ActiveObjects.ref(created.getFirst());
  }
}

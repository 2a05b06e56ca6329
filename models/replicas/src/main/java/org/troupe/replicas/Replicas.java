package org.troupe.replicas;

import static java.util.stream.Collectors.joining;

import java.util.Objects;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.stubs.NotReifiableException;
import org.troupe.stubs.ObjectConstruction;
import org.troupe.stubs.StubClass;
import org.troupe.stubs.Stubs;

/** Creates replicated objects, and explains which of their methods are reads. */
public final class Replicas {

  private Replicas() {}

  /** Returns the creation of objects with a replica on each node of a live set. */
  public static Creation on(Nodes nodes) {
    return new Creation(Objects.requireNonNull(nodes, "nodes"));
  }

  /** Where objects are created. */
  public static final class Creation {

    private final Nodes nodes;

    private Creation(Nodes nodes) {
      this.nodes = nodes;
    }

    /**
     * Creates a replicated object: constructs it here, by the constructor that fits the arguments,
     * and copies it to each node. Nodes that join the set later get a replica of its state then.
     *
     * @param type an ordinary class that can have a stub; its writes must be deterministic and may
     *     call no active object and no replica
     * @throws org.troupe.stubs.NotReifiableException if the class can have no stub
     * @throws IllegalArgumentException if there is no node, or no constructor fits
     */
    public <T> Replicated<T> create(Class<T> type, Object... arguments) {
      Stubs.define(type);
      var hosts = nodes.list();
      if (hosts.isEmpty()) {
        throw new IllegalArgumentException(
            "there is no node for the replicas of "
                + type.getName()
                + "; wait for some with nodes.await(..)");
      }
      var admission = new MemberAdmission(hosts.getFirst(), constructed(type, arguments));
      hosts.forEach(admission::admit);
      admission.follow(nodes);
      return new Replicated<>(admission, type);
    }

    private static Object constructed(Class<?> type, Object[] arguments) {
      try {
        return ObjectConstruction.construct(type, arguments);
      } catch (RuntimeException | Error failure) {
        throw failure;
      } catch (Throwable failure) {
        throw new RemoteFailure(failure.getClass().getName(), failure.getMessage(), failure);
      }
    }
  }

  /**
   * Returns a table in plain text of which methods of a class are reads and which are writes when
   * it is replicated, and why; or the reasons why the class cannot be replicated.
   */
  public static String explain(Class<?> type) {
    StubClass<?> stubs;
    try {
      stubs = Stubs.define(type);
    } catch (NotReifiableException e) {
      return String.valueOf(e.getMessage());
    }
    var reads = ReadMethods.of(type);
    return stubs.methods().stream()
        .filter(method -> method.method().getDeclaringClass() != Object.class)
        .map(
            method -> {
              var verdict = reads.verdict(method.method());
              return "%-40s %-5s %s"
                  .formatted(method, verdict.isRead() ? "read" : "write", verdict.why());
            })
        .collect(joining(System.lineSeparator(), type.getName() + System.lineSeparator(), ""));
  }
}

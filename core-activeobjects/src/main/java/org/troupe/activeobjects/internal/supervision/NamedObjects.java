package org.troupe.activeobjects.internal.supervision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.marshal.PortableValues;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/** The coordinator's table of named objects. */
public final class NamedObjects {

  /*
   * Design: one object per key
   *
   *   none --first request--> CREATING --its node lets it be supervised--> KNOWN --it ends--> none
   *                              +--its constructor throws--> none
   *
   * The first request for a key lets a node make the object; later ones wait for that. The object is known under its key
   * from the step on in which the supervisor knows it, so if its node is lost after that, it is restarted, and if before,
   * another node makes it. The data of the lost node in the store under the key is then replaced.
   *
   * The table is guarded by the lock of the supervisor. A thread for each creation waits for nodes.
   */

  /**
   * A request for a named object. Travels.
   *
   * @param hosts the nodes on which it may be made
   */
  public record Request(
      String key, String type, Options options, PortableValues arguments, List<NodeId> hosts) {

    public Request {
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * A named object. Travels.
   *
   * @param keepsCalls whether it outlives its node with all calls that it has taken
   */
  public record Named(String type, ObjectIdentity object, boolean keepsCalls) {}

  /** The grid as this table uses it. */
  public interface Grid {

    /** Returns the members that may get new objects, those with the fewest objects first. */
    List<NodeDescription> membersByLoad(List<NodeId> among) throws InterruptedException;

    /** Returns the name of the journal of a named object. */
    String journalOf(String key);

    /** Lets a member make an object; completes when it is supervised. */
    CompletableFuture<ObjectIdentity> create(NodeDescription member, Request request);
  }

  private final Object lock;
  private final Grid grid;
  private final Map<String, Entry> entries = new HashMap<>(); // guarded by the lock
  private final Map<String, String> unreadable = new HashMap<>(); // guarded by the lock

  /** The state of one key. Guarded by the lock. */
  private static final class Entry {
    final String type;
    final boolean keepsCalls;
    final CompletableFuture<Named> made = new CompletableFuture<>();
    @Nullable ObjectIdentity object;
    @Nullable End end; // if it was given up

    Entry(String type, Options options) {
      this.type = type;
      this.keepsCalls = options.keep().logsCalls() || options.restart().retries();
    }

    void isKnown(ObjectIdentity its) {
      object = its;
      made.complete(new Named(type, its, keepsCalls));
    }
  }

  /**
   * Creates a table without objects.
   *
   * @param lock that of the supervisor
   */
  public NamedObjects(Object lock, Grid grid) {
    this.lock = lock;
    this.grid = grid;
  }

  /** Records that the journal of an object of an earlier run cannot be read. */
  public void isUnreadable(String journal, String problem) {
    synchronized (lock) {
      unreadable.put(journal, problem);
    }
  }

  /** Returns a named object, which is made if there is none. */
  public CompletableFuture<Named> named(Request request) {
    Entry entry;
    var isFirst = false;
    synchronized (lock) {
      var known = entries.get(request.key());
      if (known == null) {
        isFirst = true;
        known = new Entry(request.type(), request.options());
        entries.put(request.key(), known);
      }
      entry = known;
      var problem = problem(request.key(), request.type(), entry);
      if (problem != null) {
        return CompletableFuture.failedFuture(problem);
      }
    }
    if (isFirst) {
      Thread.startVirtualThread(() -> create(entry, request));
      return entry.made.copy();
    }
    return entry
        .made
        .handle(
            (made, failure) -> // the arguments of another request may be better
            failure == null ? CompletableFuture.completedFuture(made) : named(request))
        .thenCompose(Function.identity());
  }

  private static @Nullable RuntimeException problem(String key, String type, Entry entry) {
    if (!entry.type.equals(type)) {
      return new IllegalArgumentException(
          "the key '%s' is that of %s, and cannot be that of %s; give another key"
              .formatted(
                  key, IndefiniteArticle.before(entry.type), IndefiniteArticle.before(type)));
    }
    return problem(key, entry);
  }

  private static @Nullable RuntimeException problem(String key, Entry entry) {
    var end = entry.end;
    return end == null
        ? null
        : new IllegalStateException(
            "the object '%s' was given up, and is in its store: %s%s"
                .formatted(
                    key,
                    end.why(),
                    end.why().endsWith(Origin.Stored.REMEDY) ? "" : Origin.Stored.REMEDY));
  }

  /** Returns a named object if there is one; waits for one that is being made. */
  public CompletableFuture<Optional<Named>> find(String key) {
    Entry entry;
    synchronized (lock) {
      entry = entries.get(key);
      var problem = entry == null ? unreadable(key) : problem(key, entry);
      if (problem != null) {
        return CompletableFuture.failedFuture(problem);
      }
      if (entry == null) {
        return CompletableFuture.completedFuture(Optional.empty());
      }
    }
    return entry.made.handle((made, failure) -> Optional.ofNullable(made));
  }

  private @Nullable RuntimeException unreadable(String key) {
    var problem = unreadable.isEmpty() ? null : unreadable.get(grid.journalOf(key));
    return problem == null
        ? null
        : new IllegalStateException(
            "the object '%s' of an earlier run could not be read: %s; restore its store from a copy, or give another key"
                .formatted(key, problem));
  }

  private void create(Entry entry, Request request) {
    List<NodeId> left = new ArrayList<>(request.hosts());
    try {
      for (; ; ) {
        var hosts = grid.membersByLoad(left);
        if (hosts.isEmpty()) {
          throw new IllegalStateException(
              "none of the nodes is there on which '%s' could be made; await or request one"
                  .formatted(request.key()));
        }
        var host = hosts.getFirst();
        try {
          var object = grid.create(host, request).get();
          synchronized (lock) {
            entry.isKnown(object);
          }
          return;
        } catch (ExecutionException failure) {
          if (!(failure.getCause() instanceof NodeLostException)) {
            throw failure;
          }
        } catch (NodeLostException failure) {
          // before the request was sent
        }
        left.remove(host.id());
        synchronized (lock) {
          if (entry.object != null) { // it is restarted
            return;
          }
        }
      }
    } catch (ExecutionException failure) {
      fail(entry, request.key(), failure.getCause());
    } catch (InterruptedException | RuntimeException failure) {
      fail(entry, request.key(), failure);
    }
  }

  private void fail(Entry entry, String key, @Nullable Throwable failure) {
    synchronized (lock) {
      if (entry.object == null) {
        entries.remove(key, entry);
      }
    }
    entry.made.completeExceptionally(
        failure == null ? new IllegalStateException("unknown") : failure);
  }

  /**
   * Records an object that is supervised from now on; called under the lock.
   *
   * @return {@code false} if its name is that of another object
   */
  boolean isSupervised(ObjectIdentity identity, Supervised object) {
    if (object.key().isEmpty()) {
      return true;
    }
    var entry =
        entries.computeIfAbsent(object.key(), key -> new Entry(object.type(), object.options()));
    if (entry.object != null && !entry.object.equals(identity)) {
      return false;
    }
    entry.isKnown(identity);
    return true;
  }

  /** Forgets the key of an object that has ended; called under the lock. */
  void hasEnded(ObjectIdentity identity, Supervised object) {
    var entry = entries.get(object.key());
    if (entry != null && identity.equals(entry.object)) {
      entries.remove(object.key());
    }
  }

  /** Records that an object was given up, and stays in its store; called under the lock. */
  void isGivenUp(ObjectIdentity identity, Supervised object, End end) {
    var entry = entries.get(object.key());
    if (entry != null && identity.equals(entry.object)) {
      entry.end = end;
    }
  }
}

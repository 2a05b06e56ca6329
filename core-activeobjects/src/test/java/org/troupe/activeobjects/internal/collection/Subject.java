package org.troupe.activeobjects.internal.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;

/** An active object that registers itself, keeps others and passes them on. */
public class Subject {

  /** A result that has a stub in a field. */
  public static class Box {
    private final Subject content;

    public Box(Subject content) {
      this.content = content;
    }

    public Subject content() {
      return content;
    }
  }

  /** A failure that has a stub in a field. */
  public static class Bearer extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final Subject content;

    public Bearer(Subject content) {
      super("bears a reference");
      this.content = content;
    }

    public Subject content() {
      return content;
    }
  }

  private static volatile boolean areMembers;

  private final String name;
  private final List<Object> kept = new ArrayList<>();
  private CompletableFuture<Box> promised = new CompletableFuture<>();

  public Subject() {
    this("");
  }

  public Subject(String name) {
    this.name = name;
    if (!name.isEmpty()) {
      CollectedGrid.register(name, this);
    }
  }

  public String name() {
    return name;
  }

  public int keep(Object reference) {
    kept.add(reference);
    return kept.size();
  }

  public void keepLater(Object reference) {
    kept.add(reference);
  }

  public int drop() {
    kept.clear();
    return 0;
  }

  public String nameOfKept() {
    return ((Subject) kept.getFirst()).name();
  }

  public String nameOfKeptRef() {
    @SuppressWarnings("unchecked") // only references to subjects are kept
    var ref = (Ref<Subject>) kept.getFirst();
    return ref.ask(Subject::name).join();
  }

  public String namesOfKeptHermits() {
    List<String> names = new ArrayList<>();
    for (var each : kept) {
      if (((Ref<?>) each).stub() instanceof Hermit hermit) {
        names.add(hermit.name());
      }
    }
    return String.join(" ", names);
  }

  /** Passes on what it keeps, and drops it. */
  public int passOn(Subject next) {
    var done = next.keep(kept.getFirst());
    kept.clear();
    return done;
  }

  /** Passes on what it keeps in a message that nothing waits for, and drops it. */
  public int passOnLater(Subject next) {
    next.keepLater(kept.getFirst());
    kept.clear();
    return 0;
  }

  public Subject make(String itsName) {
    return ActiveObjects.here().create(Subject.class, itsName);
  }

  public Box box() {
    return new Box((Subject) kept.getFirst());
  }

  public CompletableFuture<Box> promise() {
    return promised;
  }

  public void fulfil() {
    promised.complete(box());
    promised = new CompletableFuture<>();
  }

  public String fail() {
    throw new Bearer((Subject) kept.getFirst());
  }

  public Subject self() {
    return this;
  }

  /** Takes a reference and gives it back. */
  public Object same(Object reference) {
    return reference;
  }

  /** Keeps the object that calls. */
  public int keepCaller() {
    kept.add(ActiveObjects.caller());
    return kept.size();
  }

  public void keepCallerLater() {
    kept.add(ActiveObjects.caller());
  }

  /** Keeps the object that calls, after a gate has opened. */
  public int keepCallerAfter(String gate) {
    waitAt(gate);
    return keepCaller();
  }

  public int callKeepCaller(Subject other) {
    return other.keepCaller();
  }

  public int callKeepCallerLater(Subject other) {
    other.keepCallerLater();
    return 0;
  }

  /** Becomes a member of something, until all memberships end. */
  public int becomeMember() {
    var collectives = Collectives.current();
    areMembers = true;
    collectives.attachToCurrent(new Membership(collectives.newKey()));
    return 0;
  }

  static void endAllMemberships() {
    areMembers = false;
  }

  /** An extension that does nothing. */
  private record Membership(Key key) implements BodyExtension {

    @Override
    public void attached(Ref<?> self) {}

    @Override
    public void received(int from, long tag, Packet packet) {}

    @Override
    public void lost(NodeId node, String why) {}

    @Override
    public boolean isOver() {
      return !areMembers;
    }
  }

  public void waitLater(String gate) {
    Waits.await(Cell.gate(gate), "gate " + gate);
  }

  public String waitAt(String gate) {
    Cell.gate("at " + gate).countDown();
    Waits.await(Cell.gate(gate), "gate " + gate);
    return name;
  }
}

package org.troupe.activeobjects.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.spi.Attachment;
import org.troupe.activeobjects.spi.Attachment.Key;
import org.troupe.activeobjects.spi.Attachment.Parcel;
import org.troupe.futures.FutureResult;

/** What one body carries for others than its object. May be shared between threads. */
public final class Attachments implements BodyCalls {

  /*
   * A parcel may come before the attachment that it is for: it passes the queue, in which the attachment may still
   * wait. Such parcels are kept. Those for an attachment that was removed, or never comes, are not many, and go with
   * the body; of those removed the key is known, so theirs are dropped.
   */
  private final Body body;

  // Under this
  private final Map<Key, Attachment> attached = new LinkedHashMap<>();
  private final Map<Key, List<Consumer<Attachment>>> early = new HashMap<>();

  Attachments(Body body) {
    this.body = body;
  }

  /** For {@link Key#unique}. */
  public static Key newKey() {
    var node = NodeRuntime.current();
    return new Key(node.id().incarnation(), node.nextId());
  }

  /** For {@link Attachment#attach}. */
  public static List<FutureResult<Object>> attach(
      Attachment attachment, List<? extends Ref<?>> objects) {
    return Multicasts.of(BodyCalls.ATTACH, new Object[] {attachment}).ask(objects, false);
  }

  /** For {@link Attachment#ofCurrent}. */
  public static <A extends Attachment> List<A> ofCurrent(Class<A> type) {
    var all = current();
    synchronized (all) {
      return all.attached.values().stream().filter(type::isInstance).map(type::cast).toList();
    }
  }

  /** For {@link Attachment#attachHere}. */
  public static void attachHere(Attachment attachment) {
    current().attach(attachment);
  }

  /** For {@link Attachment#inTurn}. */
  public static void inTurn(Ref<?> object, Ref<?> sender, Runnable task) {
    if (!(((Reference<?>) object).target() instanceof Reference.Target.Here(Body body))) {
      throw new IllegalArgumentException(object + " is not of this node; only its own node can");
    }
    body.put(new QueuedRequest.Task(task, sender));
  }

  /** For {@link Attachment#detach}. */
  public static void detach(Key key) {
    var all = current();
    synchronized (all) {
      all.attached.replace(key, null);
    }
  }

  private static Attachments current() {
    var body = Context.currentBody();
    if (body == null) {
      throw new IllegalStateException(
          "a thread that serves no active object has no place in a group; ask inside a method that"
              + " an active object serves");
    }
    return body.attachments();
  }

  /** For {@link Attachment#send}. */
  public static void send(Ref<?> object, Key key, int from, long tag, Object value) {
    var reference = (Reference<?>) object;
    var copies = reference.runtime().copies();
    switch (reference.target()) {
      case Reference.Target.Here(Body body) -> {
        Parcel parcel;
        if (isArrayOfNumbers(value) || copies.isShareable(value)) {
          parcel = () -> value;
        } else {
          var payload = copies.encode(value);
          parcel = () -> payload.decodeLast(copies)[0];
        }
        body.attachments().receive(key, each -> each.received(from, tag, parcel));
      }
      case Reference.Target.Elsewhere elsewhere ->
          elsewhere
              .home()
              .sendParcel(
                  elsewhere.number(),
                  key,
                  from,
                  tag,
                  isArrayOfNumbers(value) ? copies.borrow(value) : copies.encode(value));
    }
  }

  private static boolean isArrayOfNumbers(Object value) {
    return value != null
        && value.getClass().isArray()
        && value.getClass().componentType().isPrimitive();
  }

  @Override
  public void attach(Attachment attachment) {
    attachment.attached(Reference.to(body));
    body.node().carries(this);
    for (; ; ) {
      List<Consumer<Attachment>> came;
      synchronized (this) {
        came = early.remove(attachment.key());
        if (came == null) {
          attached.put(attachment.key(), attachment);
          return;
        }
      }
      // Without the lock, for an attachment may send others; what comes meanwhile is early still.
      came.forEach(each -> each.accept(attachment));
    }
  }

  @Override
  public void nothing() {
    // What matters is that it was its turn.
  }

  /** Gives a parcel to its attachment, now or as soon as that is there. */
  void receive(Key key, Consumer<Attachment> parcel) {
    Attachment found;
    synchronized (this) {
      found = attached.get(key);
      if (found == null) {
        if (!attached.containsKey(key)) {
          early.computeIfAbsent(key, each -> new ArrayList<>()).add(parcel);
        }
        return;
      }
    }
    parcel.accept(found);
  }

  void lost(NodeId node, String reason) {
    List<Attachment> all;
    synchronized (this) {
      all = attached.values().stream().filter(each -> each != null).toList();
    }
    all.forEach(each -> each.lost(node, reason));
  }
}

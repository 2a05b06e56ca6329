package org.troupe.activeobjects.internal.keeping;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.collective.ObjectImages;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyFactory;
import org.troupe.activeobjects.internal.body.Departure;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.fault.CheckpointStep;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.MissingJournalException;

/** Makes, stores and restores the images of members of groups on one node. Thread-safe. */
final class MemberImages implements ObjectImages {

  private static final long EPOCH = 0; // each image has a journal of its own
  private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final NodeObjects node;
  private final KeptObjects kept;

  MemberImages(NodeObjects node, KeptObjects kept) {
    this.node = node;
    this.kept = kept;
  }

  @Override
  public CompletableFuture<ByteBuffer> image(
      Ref<?> object, List<? extends Ref<?>> members, int bytes) {
    var body = bodyOf(object);
    var image = new CompletableFuture<ByteBuffer>();
    var scheduling = body.type().scheduling();
    if (scheduling.hasOwnService() || !body.canDepart()) {
      image.completeExceptionally(
          new IllegalStateException(
              "%s has no moment between two requests: its class has %s; drop %s"
                  .formatted(
                      body,
                      scheduling.hasOwnService() ? "a service loop" : "@Concurrent methods",
                      scheduling.hasOwnService() ? "the loop" : "the annotation")));
      return image;
    }
    Map<Ref<?>, Integer> ranks = new HashMap<>();
    for (var rank = 0; rank < members.size(); rank++) {
      ranks.put(members.get(rank), rank);
    }
    Thread.startVirtualThread(() -> make(body, ranks, bytes, image));
    return image;
  }

  private void make(
      Body body, Map<Ref<?>, Integer> ranks, int bytes, CompletableFuture<ByteBuffer> image) {
    var made = new CompletableFuture<ByteBuffer>();
    try {
      var departure = begin(body, each -> encode(body, ranks, bytes, each, made));
      var encoded = SafePoints.await(body, departure, made);
      CheckpointStep.GROUP_IMAGED.passes(node.id());
      image.complete(encoded);
    } catch (ExecutionException failure) {
      image.completeExceptionally(failure.getCause());
    } catch (InterruptedException | RuntimeException | Error failure) {
      image.completeExceptionally(failure);
    }
  }

  /** Begins a departure, after another one that may be under way: the object may be kept, too. */
  private static Departure begin(Body body, Consumer<Departure> atSafePoint) {
    for (; ; ) {
      var begun = body.departures().begin(atSafePoint);
      if (begun != null) {
        begun.check();
        return begun;
      }
      if (body.hasEnded()) {
        throw new IllegalStateException(body + " has ended");
      }
      LockSupport.parkNanos(CHECK_NANOS);
    }
  }

  /** Encodes the object, on the thread that serves it. */
  private void encode(
      Body body,
      Map<Ref<?>, Integer> ranks,
      int bytes,
      Departure departure,
      CompletableFuture<ByteBuffer> made) {
    try {
      var object = body.target();
      if (object == null) {
        throw new IllegalStateException(body + " has no object");
      }
      made.complete(kept.codec().encode(body, object, ranks, bytes));
    } catch (Throwable failure) {
      made.completeExceptionally(failure);
    } finally {
      departure.cancel();
    }
  }

  @Override
  public void write(Store store, String name, ByteBuffer image) throws IOException {
    CheckpointStep.IMAGE_WRITTEN.passes(node.id());
    try (var journal = kept.journals(store, false).open(name, EPOCH)) {
      journal.replace(journal.last(), image);
    }
    CheckpointStep.IMAGE_STABLE.passes(node.id());
  }

  @Override
  public Optional<byte[]> read(Store store, String name) throws IOException {
    var journals = kept.journals(store, true);
    if (journals.epoch(name).isEmpty()) {
      return Optional.empty(); // to open it would create it
    }
    try (var journal = journals.open(name, EPOCH)) {
      return journal.image().map(each -> each.content());
    }
  }

  @Override
  public Set<String> names(Store store) throws IOException {
    try {
      return kept.journals(store, true).names();
    } catch (MissingJournalException e) {
      return Set.of(); // and none is created where there may be a mistake in the path
    }
  }

  @Override
  public void deleteReplaced(Store store, List<String> names) throws IOException {
    CheckpointStep.GENERATION_STABLE.passes(node.id());
    Journals journals = kept.journals(store, false);
    for (var each : names) {
      journals.delete(each);
    }
  }

  @Override
  public Vacancy vacancy(byte[] image, String typeName, Options options) {
    var type = node.classes().find(typeName, null);
    var stored = kept.codec().typeOf(image, type);
    if (!type.isAssignableFrom(stored)) {
      throw new IllegalArgumentException(
          "the image is one of %s, which is no %s"
              .formatted(IndefiniteArticle.before(stored.getName()), type.getName()));
    }
    if (options.restart().scope() != Restart.Scope.NEVER) {
      throw new IllegalArgumentException(
          "a restored member has no constructor arguments from which it could be restarted, and a"
              + " group in step goes on with all members; use Restart.never(), and restore the group");
    }
    var active = ActiveType.of(stored);
    node.classes().trust(stored);
    node.host().keeper().require(active, options);
    var body = BodyFactory.create(node, active, options);
    body.number(); // the other members refer to it
    return new VacantBody(body, Reference.to(body).stub(), stored, image, options);
  }

  /** A body without its object. */
  private final class VacantBody implements Vacancy {
    private final Body body;
    private final Object stub;
    private final Class<?> type;
    private final Options options;
    private byte @Nullable [] image; // until the object is made

    VacantBody(Body body, Object stub, Class<?> type, byte[] image, Options options) {
      this.body = body;
      this.stub = stub;
      this.type = type;
      this.image = image;
      this.options = options;
    }

    @Override
    public Object stub() {
      return stub;
    }

    @Override
    public void fill(List<?> members, BodyExtension extension) {
      CheckpointStep.MEMBER_RESTORED.passes(node.id());
      var bytes = image;
      if (bytes == null) {
        throw new IllegalStateException(body + " has its object already");
      }
      image = null;
      var context = new ServiceContext(body, ServicePolicy.IN_TURN).enter();
      Object object;
      try {
        object = kept.codec().decode(bytes, type, members).object();
        body.extensions().attach(extension);
      } catch (RuntimeException | Error failure) {
        body.abandon(body + " could not be restored: " + failure);
        throw failure;
      } finally {
        context.leave();
      }
      node.host().keeper().keep(body, object, options, "");
      body.arrive(object, () -> {});
    }

    @Override
    public void abandon(String why) {
      if (image != null) {
        image = null;
        body.abandon(why);
      }
    }
  }

  private static Body bodyOf(Ref<?> object) {
    if (!(((Reference<?>) object).target() instanceof Reference.Target.Here(Body body))) {
      throw new IllegalArgumentException(object + " is not of this node");
    }
    return body;
  }
}

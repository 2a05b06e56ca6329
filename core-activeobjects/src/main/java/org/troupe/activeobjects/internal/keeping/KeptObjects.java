package org.troupe.activeobjects.internal.keeping;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.ObjectImages;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.object.Deadline;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.ObjectKeeper;
import org.troupe.activeobjects.internal.object.SaveParticipant;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.PeerTable;
import org.troupe.activeobjects.internal.peer.Relocations;
import org.troupe.activeobjects.internal.replay.ImageForm;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.MissingJournalException;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.serialization.SerializationException;

/** The objects of one node that are kept, and the stores that they are kept in. Thread-safe. */
public final class KeptObjects implements ObjectKeeper {

  /*
   * Design: the life of a kept object
   *
   * The first image is stable before the service of the object begins. The journal is named after the object's
   * identity. When the object is terminated, its journal is deleted before others learn of the end, so that no caller who waits for
   * that finds it in the store; when it fails, its journal is only closed.
   *
   * When the node is closed, or its process ends in an orderly way, each object gets a last image and ends without serving
   * another request, and then the stores are closed. A process that is killed leaves the images as they are.
   */

  /** How often the journal of a new object is created while other nodes change it. */
  private static final int MOST_ATTEMPTS = 5;

  private final NodeObjects node;
  private final Supplier<String> run;
  private final Supplier<ImageCodec> codecs;
  private final Journals copies; // in the memory of nodes
  private final Map<Body, KeptObject> kept = new ConcurrentHashMap<>();
  private final NodeSaves saves;

  // guarded by this
  private final Map<Store, Journals> stores = new HashMap<>();
  private final Map<Store, Journals> resumed = new HashMap<>(); // closed with their grids
  private boolean isClosed;
  private @Nullable Thread hook;
  private volatile @Nullable ExitLog exitLog; // set when the process ends
  private @Nullable ImageCodec codec; // made at its first use: few nodes keep objects

  /** Deletes a journal. */
  interface Deletion {
    void delete() throws IOException;
  }

  /**
   * Creates what keeps the objects of a node.
   *
   * @param grid the grid that the node takes part in, or {@code null}
   * @param latest the grid that it takes part in, or the last one, or {@code null}
   * @param run the run that its stores are used by
   * @param copies the journals in the memory of the nodes of the grid
   */
  public KeptObjects(
      NodeObjects node,
      PeerTable peers,
      Relocations relocations,
      Supplier<@Nullable Membership> grid,
      Supplier<@Nullable Membership> latest,
      Supplier<String> run,
      Journals copies) {
    this.node = node;
    this.copies = copies;
    this.saves = new NodeSaves(this, node.id());
    this.run = run;
    this.codecs = () -> new ImageCodec(node, peers, relocations, grid, latest, run);
  }

  @Override
  public void require(ActiveType<?> type, Options options) {
    if (options.keep().store() == null) {
      if (options.idle() != null) {
        throw new IllegalArgumentException(
            "%s cannot sleep: it is not kept; add withKeep(Keep.state(store)), or drop withIdle"
                .formatted(type.name()));
      }
      return;
    }
    if (options.idle() != null && type.scheduling().hasOwnService()) {
      throw new IllegalArgumentException(
          "%s cannot sleep: its class has a service loop, which waits for requests itself; drop withIdle"
              .formatted(type.name()));
    }
    if (options.keep().logsCalls()) {
      requireRepeatable(type, options);
    }
    if (type.scheduling().hasOwnService() && !type.scheduling().isResumable()) {
      throw refused(
          type,
          options,
          "its class has a service loop; annotate it with @Resumable if serve() may be left and"
              + " entered again");
    }
    if (type.scheduling().isConcurrent()) {
      throw refused(
          type,
          options,
          "it has @Concurrent methods (%s), which leave no moment between two requests; drop the annotation, or use Keep.nothing()"
              .formatted(type.scheduling().concurrentMethods()));
    }
  }

  private static void requireRepeatable(ActiveType<?> type, Options options) {
    if (type.scheduling().hasOwnService()) {
      throw refused(
          type,
          options,
          "its class has a service loop, whose choice of requests is not logged; drop the loop, or"
              + " use Keep.state"
              + (type.scheduling().isResumable()
                  ? ""
                  : " and annotate the class with @Resumable, if serve() may be left and entered"
                      + " again"));
    }
    if (type.scheduling().isConcurrent()) {
      throw refused(
          type,
          options,
          "it has @Concurrent methods (%s), whose order cannot be repeated; drop the annotation, or use Keep.nothing()"
              .formatted(type.scheduling().concurrentMethods()));
    }
    if (FailureHandler.class.isAssignableFrom(type.type())) {
      throw refused(
          type,
          options,
          "it is a FailureHandler, whose notifications are not logged; let another object handle"
              + " failures, or use Keep.state");
    }
  }

  private static IllegalArgumentException refused(ActiveType<?> type, Options options, String why) {
    return new IllegalArgumentException(
        "%s cannot have Keep.%s: %s"
            .formatted(type.name(), options.keep().logsCalls() ? "calls" : "state", why));
  }

  @Override
  public void keep(Body body, Object object, Options options, String key) {
    var store = options.keep().store();
    if (store == null) {
      return;
    }
    var name =
        key.isEmpty()
            ? "object-%016x-%d".formatted(node.id().incarnation(), body.number())
            : JournalNames.of(key);
    try {
      var journals = journals(store, false);
      var stored = new Origin.Stored(options, name, key);
      var opened = create(journals, stored);
      var one = opened.kept(body);
      try {
        one.born(object);
      } catch (IOException | RuntimeException | Error failure) {
        opened.close();
        opened.deleteAfter(failure);
        throw failure;
      }
      opened.add(body, one);
      body.madeBy(one, node.classes().known());
    } catch (IOException failure) {
      var what = "%s was not created: %s".formatted(body, failure.getMessage());
      body.abandon(what);
      throw new UncheckedIOException(what, failure);
    } catch (SerializationException failure) {
      var refusal = refused(body.type(), options, String.valueOf(failure.getMessage()));
      refusal.initCause(failure);
      body.abandon(String.valueOf(refusal.getMessage()));
      throw refusal;
    } catch (RuntimeException | Error failure) {
      body.abandon(body + " was not created: " + failure);
      throw failure;
    }
  }

  private OpenedJournal create(Journals journals, Origin.Stored stored) throws IOException {
    if (stored.key().isEmpty()) {
      return createFirst(journals, stored);
    }
    for (var attempt = 1; ; attempt++) {
      var before = journals.epoch(stored.journal());
      try {
        return before.isEmpty()
            ? createFirst(journals, stored)
            : replace(journals, stored, before.getAsLong());
      } catch (IOException failure) {
        if (attempt == MOST_ATTEMPTS || journals.epoch(stored.journal()).equals(before)) {
          throw failure;
        }
        // A node that was lost before it had made the object goes on with that.
      }
    }
  }

  private OpenedJournal createFirst(Journals journals, Origin.Stored stored) throws IOException {
    var epoch = JournalNames.epoch(stored, 0, node.id());
    return new OpenedJournal(journals, stored, epoch, journals.create(stored.journal(), epoch));
  }

  /**
   * Replaces the journal that has the name of a new object. It was written by a node which was lost
   * before the coordinator knew of the object, unless this node is the lost one.
   *
   * @param before the epoch of that journal
   * @throws IOException if the journal has an object of another run, or this node has left the grid
   */
  private OpenedJournal replace(Journals journals, Origin.Stored stored, long before)
      throws IOException {
    if (!codec().isInLastingGrid()) { // first: to open a journal may be to take it over
      throw new IOException(
          "node '%s' has left the grid, or the grid ends; another node may have the object '%s'"
              .formatted(node.id(), stored.key()));
    }
    requireThisRun(journals, stored, before);
    if (JournalNames.epochOfObject(before) > 0) {
      // It had been made anew. The coordinator will count the epochs of the new object from 0, and
      // all that has a higher one is written by nodes that are lost.
      journals.delete(stored.journal(), before);
      return createFirst(journals, stored);
    }
    var epoch = JournalNames.epochOfReplacement(stored, before, node.id());
    return new OpenedJournal(
        journals, stored, epoch, journals.openExisting(stored.journal(), epoch));
  }

  private void requireThisRun(Journals journals, Origin.Stored stored, long epoch)
      throws IOException {
    try (var journal = journals.open(stored.journal(), epoch)) {
      var image = journal.image();
      if (image.isPresent()) {
        var head = codec().head(ImageForm.object(image.get().content()));
        if (!head.run().equals(run.get())) {
          throw new IOException(
              "the store %s has the object '%s' of the run '%s' since %s; go on with it by Grid.resume, or give another store"
                  .formatted(journals, head.key(), head.run(), head.made()));
        }
      }
    }
  }

  @Override
  public void discard(Body body) {
    var one = kept.get(body);
    if (one != null) {
      one.discard();
    }
  }

  @Override
  public Origin arriving(Body body, Origin.Stored origin, int epoch, Object object) {
    return new ArrivingObject(
        origin,
        object,
        () -> {
          RestartStep.STORE_READ.passes(node.id());
          return reopen(origin, epoch).keep(body);
        });
  }

  @Override
  public OpenedJournal reopen(Origin.Stored origin, int epoch) throws IOException {
    var store = Objects.requireNonNull(origin.options().keep().store(), "the store of its origin");
    var journals = journals(store, true);
    var first = JournalNames.epoch(origin, epoch, node.id());
    return new OpenedJournal(
        journals, origin, first, journals.openExisting(origin.journal(), first));
  }

  /** A journal that is open for one embodiment of an object, and its keeper once there is one. */
  private final class OpenedJournal implements Reopened {

    private final Journals journals;
    private final Origin.Stored origin;
    private final long firstEpoch;
    private final AtomicLong epoch; // the last with which it was, or was to be opened
    private final Journal journal;
    private @Nullable KeptObject one;

    OpenedJournal(Journals journals, Origin.Stored origin, long epoch, Journal journal) {
      this.journals = journals;
      this.origin = origin;
      this.firstEpoch = epoch;
      this.epoch = new AtomicLong(epoch);
      this.journal = journal;
    }

    KeptObject kept(Body body) {
      return new KeptObject(body, origin, journal, this::reopen, saves.gate(), codec());
    }

    private Journal reopen() throws IOException {
      if (!isOwn()) {
        throw new IOException(
            "the journal '%s' in %s has been taken over or deleted"
                .formatted(origin.journal(), journals));
      }
      return journals.openExisting(origin.journal(), epoch.incrementAndGet());
    }

    /** Returns whether no other node has opened the journal, nor a new one of that name. */
    private boolean isOwn() throws IOException {
      if (origin.key().isEmpty()) {
        return true; // the store itself compares epochs, and its name is unique
      }
      var current = journals.epoch(origin.journal());
      return current.isPresent()
          && firstEpoch <= current.getAsLong()
          && current.getAsLong() <= epoch.get();
    }

    void add(Body body, KeptObject its) {
      kept.put(body, its);
      saves.added(its);
      // First: when the coordinator frees the name, another object may open the journal.
      body.firstBeforeEnd(
          end -> {
            kept.remove(body);
            its.ended(end, this::delete);
          });
    }

    /** Deletes the journal, unless another node has opened it since. */
    void delete() throws IOException {
      if (isOwn()) {
        journals.delete(origin.journal(), epoch.get());
      }
    }

    /** Deletes the journal of an object that could not be created. */
    void deleteAfter(Throwable failure) {
      try {
        delete();
      } catch (IOException left) {
        failure.addSuppressed(left); // the next creation replaces it, and no run resumes it
      }
    }

    @Override
    public KeptObject keep(Body body) {
      var its = kept(body);
      one = its;
      add(body, its);
      return its;
    }

    @Override
    public String provenance() {
      return one == null ? "" : one.provenance();
    }

    @Override
    public void close() {
      try {
        journal.close();
      } catch (IOException failure) {
        node.failures().background("the journal '" + origin.journal() + "'", failure);
      }
    }
  }

  @Override
  public void leave() {
    List<CompletableFuture<Void>> images = new ArrayList<>();
    kept.forEach(
        (body, one) -> {
          if (one.outlivesNode() && !body.hasEnded()) {
            images.add(
                one.rest()
                    .exceptionally(
                        failure -> {
                          reportUnlessEnded(body, failure);
                          return null;
                        }));
          }
        });
    images.forEach(CompletableFuture::join);
  }

  /** Returns the codec of the images of this node. */
  synchronized ImageCodec codec() {
    var known = codec;
    if (known == null) {
      known = codecs.get();
      codec = known;
    }
    return known;
  }

  /** Returns the journals of a store, which must be there already if an object is in it. */
  synchronized Journals journals(Store store, boolean isThere) throws IOException {
    if (isClosed) {
      throw new IOException("its node has been closed");
    }
    if (store instanceof Store.Copies) {
      return copies;
    }
    var known = stores.get(store);
    if (known == null) {
      var user = user(run.get());
      known = isThere ? store.openExisting(user) : store.open(user);
      stores.put(store, known);
      if (hook == null) {
        var log = new ExitLog();
        hook = Thread.ofPlatform().name("troupe-last-images").unstarted(() -> closeAtExit(log));
        try {
          Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
          // The process ends already; its objects end with the images that they have.
        }
      }
    }
    return known;
  }

  private static StoreUser user(String run) {
    return new StoreUser(run, ProcessHandle.current().pid(), hostName(), Instant.now());
  }

  @Override
  public @Nullable Departing departing(Body body) {
    var one = kept.get(body);
    if (one == null) {
      return null;
    }
    one.beginMove();
    return new Departing() {
      @Override
      public void prepare(Deadline patience) throws InterruptedException {
        one.prepareMove(patience);
      }

      @Override
      public @Nullable String obstacle() {
        return one.obstacleToMove();
      }

      @Override
      public void makeImage(Object object) {
        one.makeImage(object);
      }

      @Override
      public void writeImage() throws IOException {
        one.writeImage();
      }

      @Override
      public void stays() {
        one.stays();
      }

      @Override
      public void left() {
        kept.remove(body);
        one.left();
      }
    };
  }

  @Override
  public void requireSeen(Origin.Stored origin) throws IOException {
    var store = Objects.requireNonNull(origin.options().keep().store(), "the store of its origin");
    var journals = journals(store, true);
    if (journals.epoch(origin.journal()).isEmpty()) {
      throw new MissingJournalException(
          "it does not see the store %s of the object; move it where that is".formatted(store));
    }
  }

  @Override
  public String journalOf(String key) {
    return JournalNames.of(key);
  }

  @Override
  public Earlier resume(Store store, String nextRun, @Nullable String save) throws IOException {
    var earlier = StoredObjects.read(store, user(nextRun), codec(), save);
    synchronized (this) {
      resumed.put(store, earlier.journals());
    }
    earlier.whenClosed(
        () -> {
          synchronized (this) {
            resumed.remove(store, earlier.journals());
          }
        });
    return earlier;
  }

  @Override
  public SaveParticipant saves() {
    return saves;
  }

  /** Returns the objects that are kept. */
  Collection<KeptObject> all() {
    return kept.values();
  }

  /** Returns the journals of all stores that this node uses. */
  synchronized Collection<Journals> stores() {
    Map<Store, Journals> all = new HashMap<>(resumed);
    all.putAll(stores);
    return List.copyOf(all.values());
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  @Override
  public Origin.@Nullable Stored stored(Body body) {
    var one = kept.get(body);
    return one == null ? null : one.stored();
  }

  @Override
  public boolean isKept(Body body) {
    return kept.containsKey(body);
  }

  @Override
  public List<LoggedBody> logged() {
    List<LoggedBody> all = new ArrayList<>();
    for (var each : kept.keySet()) {
      if (each instanceof LoggedBody logged) {
        all.add(logged);
      }
    }
    return all;
  }

  @Override
  public @Nullable Report report(Body body) {
    var one = kept.get(body);
    return one == null ? null : one.report();
  }

  @Override
  public CompletableFuture<Void> checkpoint(Body body) {
    var one = kept.get(body);
    if (one != null) {
      var context = ServiceContext.current();
      return context != null && context.body == body
          ? new OwnCheckpoint(body, one.checkpoint())
          : one.checkpoint();
    }
    return CompletableFuture.failedFuture(
        body.hasEnded()
            ? new IllegalStateException(body.end().why())
            : new IllegalStateException(
                body
                    + " is not kept, so it has no checkpoint; create it with"
                    + " Options.STANDARD.withKeep(Keep.state(store))"));
  }

  @Override
  public ObjectImages images() {
    return new MemberImages(node, this);
  }

  @Override
  public void close() {
    close(this::endAfterImages);
  }

  @Override
  public void abandon() {
    close(end -> kept.values().forEach(each -> each.abandon(end)));
  }

  private void close(Consumer<End> ending) {
    List<Journals> open;
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      saves.end();
      open = List.copyOf(stores.values());
      removeHook();
    }
    ending.accept(End.of(End.How.LOST, "node '" + node.id() + "' has been closed"));
    for (var each : open) {
      try {
        each.close();
      } catch (IOException failure) {
        node.failures().background("the store " + each, failure);
      }
    }
  }

  @Override
  public List<String> withoutLastImage(boolean logsCalls) {
    return kept.entrySet().stream()
        .filter(each -> !(each.getValue().store() instanceof Store.Copies)) // gone with the nodes
        .filter(each -> each.getValue().isLogged() == logsCalls)
        .map(each -> each.getKey().toString())
        .toList();
  }

  private void endAfterImages(End end) {
    List<CompletableFuture<Void>> images = new ArrayList<>();
    kept.forEach(
        (body, one) ->
            images.add(
                one.end(end)
                    .exceptionally(
                        failure -> {
                          reportUnlessEnded(body, failure);
                          return null;
                        })));
    images.forEach(CompletableFuture::join);
  }

  private void closeAtExit(ExitLog log) {
    exitLog = log;
    close();
  }

  private void reportUnlessEnded(Body body, Throwable failure) {
    var cause = causeOf(failure);
    if (!(cause instanceof KeptObject.EndedException)) { // as when a request was interrupted
      report(body, cause);
    }
  }

  private void report(Body body, Throwable cause) {
    var what = "the last image of " + body;
    var log = exitLog;
    if (log == null) {
      node.failures().background(what, cause);
    } else {
      log.warning(
          "%s was not stored: %s; its changes since the image before are lost; call checkpoint() before a program ends to learn of that in time"
              .formatted(what, cause instanceof IOException ? cause.getMessage() : cause));
    }
  }

  /** Returns the failure of a future without the wrapper that stages add. */
  static Throwable causeOf(Throwable failure) {
    var cause = failure instanceof CompletionException ? failure.getCause() : null;
    return cause == null ? failure : cause;
  }

  private void removeHook() {
    if (hook != null && Thread.currentThread() != hook) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process ends already; the hook finds nothing to do.
      }
    }
  }
}

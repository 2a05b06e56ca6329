package org.troupe.activeobjects.internal.keeping;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.CompositeStub;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.marshal.CompositeToken;
import org.troupe.activeobjects.internal.marshal.PassedByName;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteCaller;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.NodeToken;
import org.troupe.activeobjects.internal.peer.NodesToken;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.PeerTable;
import org.troupe.activeobjects.internal.peer.Relocations;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;
import org.troupe.futures.WaitInterruptedException;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.Substitution;
import org.troupe.serialization.graph.GraphReader;
import org.troupe.serialization.graph.Serializer;
import org.troupe.stubs.Stubs;

/** Encodes objects as images, and makes objects from images. Thread-safe. */
final class ImageCodec {

  /*
   * Design: self-contained images
   *
   * An image is a stream of two graphs: a head, which says what the image is, and the object. A stream has the definitions of its
   * types, so a reader checks the layout of each class and needs nothing of the process that wrote. The classes
   * pass the allow-list of the reader, as those of arguments do.
   *
   * The object itself is encoded by its own fields, and so is every mention of it. Every object that is not copied is replaced by
   * a StoredToken. A reference to an object of this run is read like one in a call, and so is one to an object of a node of an
   * earlier run of which this one has resumed objects. A reference to any other object of an earlier run, or to one of this node
   * that has ended meanwhile, becomes a reference to a terminated object: a store does not keep alive the objects that it names. To a
   * node that leaves its grid while it makes an object, the objects of other nodes are lost, and not terminated: calls of them fail
   * like those by a reference that the node had before, and the next embodiment makes them again elsewhere. A
   * result that has not arrived would never arrive after the end of its node, so an object that has one is not encoded.
   */

  private final NodeObjects node;
  private final PeerTable peers;
  private final Relocations relocations;
  private final Supplier<@Nullable Membership> grid;
  private final Supplier<@Nullable Membership> latest; // also if it has ended
  private final Supplier<String> run;
  private final ClassAccess classes;

  private final Serializer serializer; // of images of this run
  private final Serializer values; // of records of this run
  private final Serializer valuesOfLosses; // which may have results that are lost

  /**
   * The contents of an image.
   *
   * @param run the run in which it was made
   * @param type the class of the object
   * @param codeSource the SHA-256 of the archive or folder of the class; empty if it has none
   * @param options of the object, without the store, which its reader has
   * @param logsCalls whether its requests are logged behind the image
   * @param every how long it may go without a new image
   * @param key the name of the object in its grid; empty if it has none
   * @param made when the image was made
   */
  record Head(
      String run,
      ObjectIdentity object,
      String type,
      String codeSource,
      Options options,
      boolean logsCalls,
      Duration every,
      String key,
      Instant made) {

    /** Returns the options of the object, which is kept in a store. */
    Options optionsIn(Store store) {
      var keep = logsCalls ? Keep.calls(store) : Keep.state(store);
      return options.withKeep(keep.every(every));
    }
  }

  /**
   * Says that a value has a result that has failed, perhaps only since the node of the called
   * object has ended with the grid.
   */
  static final class LostResultException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LostResultException(Throwable failure) {
      super(failure);
    }

    Throwable failure() {
      return Objects.requireNonNull(getCause(), "the failure of the result");
    }
  }

  /** An object that was made from an image, and the form of the image. */
  record Restored(Head head, Object object) {}

  ImageCodec(
      NodeObjects node,
      PeerTable peers,
      Relocations relocations,
      Supplier<@Nullable Membership> grid,
      Supplier<@Nullable Membership> latest,
      Supplier<String> run) {
    this.node = node;
    this.peers = peers;
    this.relocations = relocations;
    this.grid = grid;
    this.latest = latest;
    this.run = run;
    this.classes = node.classes();
    this.serializer =
        serializer(new Source(run.get(), List.of()), new Tokens(Results.ARRIVED, Map.of()));
    this.values =
        serializer(new Source(run.get(), List.of()), new Tokens(Results.NOT_LOST, Map.of()));
    this.valuesOfLosses =
        serializer(new Source(run.get(), List.of()), new Tokens(Results.AWAITED, Map.of()));
  }

  /**
   * The referents of the tokens of an image.
   *
   * @param run the run in which it was made
   * @param members the stubs of the members of a restored group, by rank; empty for other objects
   */
  private record Source(String run, List<?> members) {}

  private Serializer serializer(Source source, Tokens tokens) {
    return Serializer.builder()
        .allow(classes.filter())
        .substitution(tokens)
        .resolver(token -> objectFor(Objects.requireNonNull(token), source))
        .build();
  }

  /**
   * Encodes an object, on the thread that serves it.
   *
   * @throws SerializationException if it cannot be encoded, with the path to the object that
   *     prevents it
   */
  ByteBuffer encode(Body body, Object object, Origin.Stored stored) {
    return encode(body, object, stored.options(), stored.key(), serializer, 0);
  }

  /**
   * Encodes a member of a group, on the thread that serves it.
   *
   * @param ranks the members of the group with their ranks
   * @param bytes the expected size of the image, or 0
   * @throws SerializationException as {@link #encode(Body, Object, Origin.Stored)}
   */
  ByteBuffer encode(Body body, Object object, Map<Ref<?>, Integer> ranks, int bytes) {
    var source = new Source(run.get(), List.of());
    var its = serializer(source, new Tokens(Results.ARRIVED, ranks));
    return encode(body, object, Options.STANDARD, "", its, bytes);
  }

  private ByteBuffer encode(
      Body body, Object object, Options options, String key, Serializer its, int bytes) {
    var type = object.getClass();
    var source = classes.sourceOf(type.getName());
    var head =
        new Head(
            run.get(),
            identity(body),
            type.getName(),
            source == null ? "" : source.hash(),
            options.withKeep(Keep.nothing()),
            options.keep().logsCalls(),
            options.keep().every(),
            key,
            Instant.now());
    var out = bytes == 0 ? new ByteOutput() : new ByteOutput(bytes, Integer.MAX_VALUE);
    // The object is encoded by its own fields, not as a reference to itself.
    var nobody = new ServiceContext(null, ServicePolicy.IN_TURN).enter();
    try {
      var writer = its.writer(out);
      writer.write(head);
      writer.reset();
      writer.write(object);
    } finally {
      nobody.leave();
    }
    return out.view();
  }

  private ObjectIdentity identity(Body body) {
    var origin = body.origin();
    return origin != null ? origin : new ObjectIdentity(node.id(), address(), body.number());
  }

  /** Returns whether this node takes part in a grid, which may be about to end. */
  boolean isMember() {
    var member = grid.get();
    return member != null && member.givenUp() == null;
  }

  /** Returns whether this node takes part in a grid that goes on, as far as it knows. */
  boolean isInGrid() {
    var member = grid.get();
    return member != null && member.givenUp() == null && !member.isKnownToEnd();
  }

  /** Returns whether this node takes part in a grid of which it knows that it ends. */
  boolean isGridKnownToEnd() {
    var member = grid.get();
    return member != null && member.isKnownToEnd();
  }

  /**
   * Returns whether this node takes part in a grid that goes on. Asks the coordinator, which knows
   * of the end of the grid before any node is lost by that.
   */
  boolean isInLastingGrid() {
    var member = grid.get();
    return isInGrid() && member != null && !member.isEnding();
  }

  /**
   * Returns whether a node that has called an object of this node, here or where the object was
   * made before, has ended, so that nothing of it can arrive any more.
   */
  boolean isGone(NodeId caller) {
    var member = grid.get();
    if (member == null || caller.equals(node.id())) {
      return false;
    }
    // A node that this one has never dealt with has called a former embodiment. The death of that,
    // which
    // this node has applied, follows the join of the caller in the order of all members.
    var known = peers.known(caller);
    var isGone = known != null ? known.isLost() : member.member(caller).isEmpty();
    return isGone && isInGrid(); // asked last: to a node that leaves, all others are lost
  }

  /** Returns whether an object is lost for good, as far as this node knows. */
  boolean isLost(ObjectIdentity object) {
    var home = peers.known(object.birth());
    var number = Math.abs(object.number());
    var isLost = home != null && home.isLost(number);
    return (isLost || relocations.isLost(object.birth(), number)) && isInGrid(); // as above
  }

  /**
   * Asks the coordinator whether an object is lost for good that may have left a lost node.
   *
   * @return {@code null} if this node knows that, or will learn it
   */
  @Nullable CompletableFuture<Boolean> findLoss(ObjectIdentity object) {
    return relocations.findLoss(object.birth(), Math.abs(object.number()));
  }

  private String address() {
    var member = grid.get();
    return member == null ? "" : member.address();
  }

  /**
   * Reads the form of an image.
   *
   * @throws SerializationException if it is no image
   */
  Head head(ByteInput image) {
    return readHead(serializer.reader(image));
  }

  private static Head readHead(GraphReader reader) {
    return (Head) Objects.requireNonNull(reader.read(), "the head of an image");
  }

  /**
   * Makes an object from an image.
   *
   * @param expected the class of the object
   * @throws SerializationException if the image does not fit the classes of this node
   */
  Restored decode(ByteInput in, Class<?> expected) {
    var image = new byte[in.remaining()]; // the head says how the rest is read
    in.read(image, 0, image.length);
    return decode(image, expected);
  }

  /**
   * Makes an object from an image.
   *
   * @param expected the class of the object
   */
  Restored decode(byte[] image, Class<?> expected) {
    return decode(image, expected, List.of());
  }

  /**
   * Makes a member of a group from an image.
   *
   * @param members the stubs of all members, by rank
   * @throws SerializationException as {@link #decode(byte[], Class)}
   */
  Restored decode(byte[] image, Class<?> expected, List<?> members) {
    return within(
        expected.getClassLoader(),
        () -> {
          var reader = serializer.reader(new ByteInput(image));
          var head = readHead(reader);
          if (!head.type().equals(expected.getName())) {
            throw new SerializationException(
                "the image is one of %s, and not of %s"
                    .formatted(
                        IndefiniteArticle.before(head.type()),
                        IndefiniteArticle.before(expected.getName())));
          }
          if (!members.isEmpty() || !head.run().equals(run.get())) { // its tokens mean others
            var source = new Source(head.run(), members);
            reader =
                serializer(source, new Tokens(Results.ARRIVED, Map.of()))
                    .reader(new ByteInput(image));
            reader.skip();
          }
          return new Restored(
              head, Objects.requireNonNull(reader.read(), "the object of an image"));
        });
  }

  /**
   * Returns the class of the object in an image.
   *
   * @param near a class of the same program
   */
  Class<?> typeOf(byte[] image, Class<?> near) {
    return within(
        near.getClassLoader(),
        () -> {
          var name = head(new ByteInput(image)).type();
          return name.equals(near.getName()) ? near : classes.find(name, null);
        });
  }

  private static <V> V within(ClassLoader loader, Supplier<V> work) {
    var thread = Thread.currentThread();
    var before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return work.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /**
   * Encodes a value for a record of a log. Waits for results in it that have not arrived.
   *
   * @param mayHaveLosses whether it may have results that have failed by what may be a loss
   * @throws SerializationException if it cannot be encoded, with the path to the part that prevents
   *     it
   * @throws LostResultException if it has such a result
   */
  void encode(ByteOutput out, Object value, boolean mayHaveLosses) {
    (mayHaveLosses ? valuesOfLosses : values).writer(out).write(value);
  }

  /**
   * Encodes a value for the accounts in an image.
   *
   * @throws SerializationException if it cannot be encoded, also because of a result in it that has
   *     not arrived
   */
  void encodeArrived(ByteOutput out, Object value) {
    serializer.writer(out).write(value);
  }

  /** Decodes a value of a record of a log. */
  @Nullable Object decodeValue(ByteInput in, ClassLoader loader) {
    var thread = Thread.currentThread();
    var before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return values.reader(in).read();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Writes the caller of a request. */
  void writeCaller(ByteOutput out, @Nullable Object caller) {
    switch (caller) {
      case Body body -> {
        var its = identity(body);
        out.writeByte(1);
        write(out, node.id());
        out.writeString(address());
        write(out, its.birth());
        out.writeString(its.address());
        out.writeVarLong(its.number());
        out.writeString(body.type().type().getName());
      }
      case RemoteCaller(
              RemoteNode home,
              NodeId birth,
              String address,
              long number,
              String type,
              _) -> {
        out.writeByte(1);
        write(out, home.id());
        out.writeString(Peer.of(home).address());
        write(out, birth);
        out.writeString(address);
        out.writeVarLong(number);
        out.writeString(type);
      }
      case null, default -> out.writeByte(0);
    }
  }

  /** Reads the caller of a request, which may have ended. */
  @Nullable Object readCaller(ByteInput in) {
    var kind = in.readByte();
    if (kind == 0) {
      return null;
    }
    var home = readNode(in);
    var homeAddress = in.readString();
    var birth = readNode(in);
    var address = in.readString();
    var number = in.readVarLong();
    var type = in.readString();
    var guest = relocations.here(birth, number);
    if (guest != null || birth.equals(node.id())) {
      return guest != null ? guest : node.body(number);
    }
    var member = latest.get();
    return member == null || home.equals(node.id())
        ? null
        : new RemoteCaller(peers.named(home, member, homeAddress), birth, address, number, type, 0);
  }

  private static void write(ByteOutput out, NodeId id) {
    out.writeString(id.name());
    out.writeLong(id.incarnation());
  }

  private static NodeId readNode(ByteInput in) {
    return new NodeId(in.readString(), in.readLong());
  }

  /** The results that a value may have. */
  private enum Results {
    ARRIVED,
    AWAITED,
    NOT_LOST
  }

  /** Replaces what is not copied. */
  private final class Tokens implements Substitution {
    private final Results results;
    private final Map<Ref<?>, Integer> ranks; // of the members of the object's group

    Tokens(Results results, Map<Ref<?>, Integer> ranks) {
      this.results = results;
      this.ranks = ranks;
    }

    /** As for arguments: among the classes of the platform, only futures need tokens. */
    @Override
    public boolean concerns(Class<?> type) {
      return node.marshaller().concerns(type);
    }

    @Override
    public @Nullable Object tokenFor(Object value) {
      var reference = Reference.behind(value);
      if (reference != null) {
        return tokenOf(reference, false);
      }
      if (value instanceof Reference<?> explicit) {
        return tokenOf(explicit, true);
      }
      var future = Futures.resultOf(value);
      if (future != null) {
        var type = Stubs.handlerOf(value) == null ? null : Stubs.typeOf(value).getName();
        return token(future, type, results);
      }
      if (value instanceof CompletableFuture<?> explicit) {
        return token(node.answers().resultOf(explicit), null, results);
      }
      if (Stubs.handlerOf(value) instanceof CompositeStub composite) {
        List<StoredToken> parts = new ArrayList<>();
        for (var part : composite.parts()) {
          parts.add(
              tokenFor(part) instanceof StoredToken token
                  ? token
                  : fail(
                      "a typed group holds "
                          + IndefiniteArticle.before(part.getClass().getName())));
        }
        return new StoredToken.Group(Stubs.typeOf(value).getName(), parts);
      }
      return switch (value) {
        case NodeToken named ->
            new StoredToken.Node(named.isLocal() ? named.access().describeSelf() : named.member());
        case NodesToken live -> new StoredToken.Nodes(live.virtualNode());
        case PassedByName alone when alone.equals(node.host().self()) -> new StoredToken.Node(null);
        case PassedByName other -> fail("it is known in this process only");
        default -> null;
      };
    }

    private StoredToken tokenOf(Reference<?> reference, boolean isExplicit) {
      var rank = ranks.get(reference);
      return rank == null
          ? token(reference, isExplicit)
          : new StoredToken.Member(rank, reference.type().getName(), isExplicit);
    }
  }

  private static <T> T fail(String what) {
    throw new SerializationException(
        what + ", which a store cannot keep; make the field transient");
  }

  private StoredToken token(Reference<?> reference, boolean isExplicit) {
    var target = reference.target();
    var place = relocations.place(target.birth(), target.number());
    var host = place == null || place.epoch() == 0 ? null : place;
    var hostAddress =
        host == null
            ? ""
            : host.node().equals(node.id()) ? address() : relocations.address(host.node());
    var identity =
        switch (target) {
          case Reference.Target.Here(Body body) -> identity(body);
          case Reference.Target.Elsewhere elsewhere ->
              new ObjectIdentity(
                  elsewhere.home().id(), Peer.of(elsewhere.home()).address(), elsewhere.number());
        };
    var bound =
        switch (target) {
          case Reference.Target.Here(Body body) -> body.statedBound();
          case Reference.Target.Elsewhere elsewhere -> elsewhere.bound();
        };
    var immediates =
        switch (target) {
          case Reference.Target.Here(Body body) -> body.type().scheduling().immediates();
          case Reference.Target.Elsewhere elsewhere -> elsewhere.immediates();
        };
    var keepsCalls =
        switch (target) {
          case Reference.Target.Here(Body body) when body.keepsCalls() -> true;
          default -> relocations.isKeepingCalls(target.birth(), target.number());
        };
    return new StoredToken.Reference(
        reference.type().getName(),
        identity,
        bound,
        immediates,
        host == null ? null : host.node(),
        host == null ? 0 : host.epoch(),
        hostAddress,
        keepsCalls,
        isExplicit);
  }

  private static StoredToken token(FutureResult<?> future, @Nullable String type, Results results) {
    if (results == Results.ARRIVED && future.outcomeNow() == null) {
      return fail("it is a result that has not arrived (" + future.describe() + ")");
    }
    return switch (outcome(future)) {
      case Outcome.Failure<?>(Throwable cause)
          when results == Results.NOT_LOST && MembershipCheck.mayBeLoss(cause) ->
          throw new LostResultException(cause);
      case Outcome.Failure<?>(Throwable cause) -> new StoredToken.Result(type, null, cause);
      case Outcome.Success<?>(Object value) -> new StoredToken.Result(type, value, null);
      case Outcome.Encoded<?> unopened -> fail("it is a result that could not be decoded");
    };
  }

  /** Waits for an outcome, and decodes it. */
  private static Outcome<?> outcome(FutureResult<?> future) {
    try {
      return Objects.requireNonNull(future.await(Long.MAX_VALUE), "no time limit");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException(
          "interrupted while an argument was awaited: " + future.describe());
    }
  }

  private Object objectFor(Object token, Source source) {
    return switch ((StoredToken) token) {
      case StoredToken.Member(int rank, String type, boolean isExplicit) -> {
        var member = Reference.require(source.members().get(rank)).as(classes.find(type, null));
        yield isExplicit ? member : member.stub();
      }
      case StoredToken.Reference stored -> {
        var reference = reference(stored, source.run().equals(run.get()));
        yield stored.isExplicit() ? reference : reference.stub();
      }
      case StoredToken.Group(String type, List<StoredToken> parts) ->
          CompositeToken.stub(
              classes.find(type, null),
              parts.stream().map(part -> objectFor(part, source)).toList());
      case StoredToken.Result(String type, Object value, Throwable failure) -> {
        var result = new RestoredResult(node.waiting());
        result.settle(
            failure == null ? new Outcome.Success<>(value) : new Outcome.Failure<>(failure));
        result.claim();
        yield type == null
            ? result.asCompletableFuture()
            : result.asTransparent(classes.find(type, null));
      }
      case StoredToken.Node(var member) ->
          member == null ? node.host().self() : grid("a node of a grid").node(member);
      case StoredToken.Nodes(String name) -> grid("nodes of a grid").liveNodes(name);
    };
  }

  private Membership grid(String what) {
    var member = grid.get();
    if (member == null) {
      throw new SerializationException(
          "it refers to " + what + ", but this node takes part in none");
    }
    return member;
  }

  private Reference<?> reference(StoredToken.Reference stored, boolean isOfThisRun) {
    var object = stored.object();
    var guest = relocations.here(object.birth(), object.number());
    var isHere = object.birth().equals(node.id());
    var body = guest != null || !isHere ? guest : node.body(object.number());
    var member = latest.get(); // its nodes are lost to this one if it has left
    var type = ActiveType.of(classes.find(stored.type(), null));
    if (body != null) {
      return new Reference<>(node, type, new Reference.Target.Here(body), null);
    }
    var isKnown = isOfThisRun || relocations.mayHaveLeft(object.birth());
    var hasLeft =
        member != null && member.givenUp() != null; // after the line above: leaving clears that
    var isElsewhere =
        isHere
            ? node.mayBeLost(object.number()) || hasLeft && mayHaveLeft(stored)
            : hasLeft || isKnown;
    if (member == null || !isElsewhere) {
      return Reference.toGone(node, type, object);
    }
    var host = stored.host(); // if it is not known, the coordinator is asked with the first call
    if (host != null && !hasLeft && member.member(host).isPresent()) {
      relocations.learn(object, new Place(host, stored.epoch()), stored.hostAddress(), member);
    }
    if (stored.keepsCalls()) { // also if this node has left, as it may write an image
      relocations.keepsCalls(object);
    }
    var home =
        isHere
            ? peers.ofLostObjects(member)
            : peers.named(object.birth(), member, object.address());
    // It may have been collected, since an image holds nothing.
    var held = home.isLost() ? null : home.keepFromNowOn(object.number());
    return new Reference<>(
        node,
        type,
        new Reference.Target.Elsewhere(
            home, object.number(), stored.bound(), stored.immediates(), held),
        null);
  }

  /** Returns whether an object of this node has moved, or is made again on another one. */
  private static boolean mayHaveLeft(StoredToken.Reference stored) {
    return stored.keepsCalls() || stored.host() != null;
  }

  /** A result that was there when the image was made. */
  private static final class RestoredResult extends FutureResult<Object> {

    RestoredResult(FutureRuntime waiting) {
      super(waiting);
    }

    @Override
    public String describe() {
      return "a result from an image in a store";
    }
  }
}

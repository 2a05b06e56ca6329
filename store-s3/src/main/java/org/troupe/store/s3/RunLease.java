package org.troupe.store.s3;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.store.StoreUser;

/** The right of a process to use a bucket for its run. */
final class RunLease {

  /*
   * Design: a chain of users, and signs of life by the clock of the server
   *
   *   <prefix>run/user-<slot>     a process that uses the store, created by a put with If-None-Match
   *   <prefix>run/sign-<token>    its sign of life, put again every RENEWAL; deleted when the process is done
   *
   * The store belongs to the run of the user in the highest slot. To use it is to append a user to the chain: a process puts its sign, lists
   * both kinds of objects, and creates the next slot if the store belongs to its run, or if none of the last users of that
   * other run has a sign that is younger than LENGTH. Another process that decided on the same list finds the slot taken, and lists
   * again. A list may be so old that its next slot was used and deleted, so a process lists once more when it has its slot: the
   * highest one must be of its run. So two runs cannot both conclude that the other one is gone. The highest slot is never deleted,
   * else its number could be given twice; users in lower slots are deleted with their sign, or by the run that takes over.
   *
   * Each user says in which slot its run has taken the store (takenAt). That number grows from run to run, and all users of a run agree
   * on it, so it says where the chains of journals begin that are created in this run (JournalPart).
   *
   * Ages are differences of the times that the server has given to the signs, one of which the process itself has just put. No clock of a host is
   * involved. A process that has been stopped for longer than LENGTH finds another run in a higher slot at its next sign,
   * and writes nothing from then on. Its earlier writes cannot mix with those of the other run, because that opens each
   * journal anew, which takes the next slot of its chain.
   *
   * The part that says that a journal was deleted is kept for longer, REMEMBERED, before a run forgets it: a process of an earlier run that goes on after a
   * stop may put one more part of that journal before it gives its next sign. It finds its slot taken as long as the deletion is remembered.
   *
   * A server that ignores If-None-Match would let every run in. It shows at the sign, which is created twice.
   */
  static final Duration LENGTH = Duration.ofMinutes(1);
  private static final Duration REMEMBERED = Duration.ofHours(1);
  private static final Duration RENEWAL = Duration.ofSeconds(10);

  private static final String FOLDER = "run/";
  private static final String USER = "user-";
  private static final String SIGN = "sign-";
  private static final int ATTEMPTS = 100;
  private static final int MAGIC = 0x54525055;
  private static final int SMALL = 1 << 12;
  private static final int SLOTS_OF_RUN = 32; // of the journals of a run, as a power of two

  private final Bucket bucket;
  private final StoreUser user;
  private final String token = UUID.randomUUID().toString();
  private final Thread renewal;
  private long ownSlot;
  private long takenAt;
  private long highestSlot; // that belongs to this run; touched by the renewing thread only
  private volatile boolean isReleased;
  private volatile @Nullable String lost;

  private RunLease(Bucket bucket, StoreUser user) {
    this.bucket = bucket;
    this.user = user;
    this.renewal = Thread.ofVirtual().name("troupe-store-lease").unstarted(this::renewAll);
  }

  /**
   * A user of the store.
   *
   * @param token names its sign
   * @param takenAt the slot in which its run has taken the store
   */
  private record Entry(StoreUser user, String token, long takenAt) {}

  /**
   * The objects of the folder.
   *
   * @param signs when each process has given its last sign
   */
  private record Listing(TreeSet<Long> slots, Map<String, Instant> signs) {
    long highest() {
      return slots.isEmpty() ? 0 : slots.last();
    }

    /** Returns when a process has given its last sign, which any list that is not too old has. */
    Instant time(String token) {
      return signs.getOrDefault(token, Instant.EPOCH);
    }

    /** Returns how old a sign is, by the clock that has dated all signs. */
    Duration age(String token, String newest) {
      return Duration.between(signs.get(token), signs.getOrDefault(newest, Instant.MIN));
    }
  }

  /**
   * Takes the lease.
   *
   * @throws IOException if another run has it, with a message that names that run, or if the server
   *     does not support the conditions of a lease
   */
  static RunLease take(Bucket bucket, StoreUser user) throws IOException {
    var lease = new RunLease(bucket, user);
    try {
      lease.checkConditions();
      lease.enter();
    } catch (IOException | RuntimeException | Error failure) {
      lease.deleteQuietly(List.of(lease.sign()));
      throw failure;
    }
    lease.renewal.start();
    return lease;
  }

  private String sign() {
    return FOLDER + SIGN + token;
  }

  private static String key(long slot) {
    return FOLDER + USER + "%016x".formatted(slot);
  }

  private void giveSign() throws IOException {
    bucket.put("give a sign of life", sign(), ObjectContent.of(new byte[] {1}));
  }

  private void checkConditions() throws IOException {
    var content = ObjectContent.of(new byte[] {1});
    bucket.create("be leased", sign(), content);
    if (bucket.create("be leased", sign(), content)) {
      throw bucket.withoutConditions();
    }
  }

  private void enter() throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      if (i > 0) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(50_000_000));
        giveSign();
      }
      var listing = list();
      var highest = listing.highest();
      var owner = highest == 0 ? null : read(highest);
      if (owner == null && highest > 0) {
        continue; // the list is too old
      }
      var colleague = owner != null && owner.user().run().equals(user.run()) ? owner : null;
      if (owner != null && colleague == null) {
        refuseIfAlive(listing, owner.user().run());
      }
      var deleted =
          colleague == null
              ? JournalChain.deletions(bucket, listing.time(token).minus(REMEMBERED))
              : null;
      takenAt = colleague == null ? highest + 1 : colleague.takenAt();
      if (create(highest + 1)) {
        ownSlot = highest + 1;
        highestSlot = ownSlot;
        if (isOwner()) {
          if (deleted != null) {
            clean(listing);
            Thread.ofVirtual().name("troupe-s3-clean").start(() -> forgetQuietly(deleted));
          }
          return;
        }
        deleteQuietly(List.of(key(ownSlot)));
      }
    }
    throw new IOException(
        "the store %s could not be leased, because other processes took each turn; try again"
            .formatted(bucket));
  }

  /**
   * Returns whether the store belongs to this run, which has taken it where this process believes.
   * It does not if the slot of this process was used and deleted after the list had been read.
   */
  private boolean isOwner() throws IOException {
    var highest = list().highest();
    if (highest == ownSlot) {
      return true;
    }
    var owner = read(highest);
    return owner != null && owner.user().run().equals(user.run()) && owner.takenAt() == takenAt;
  }

  /** Returns the last slot that a journal can have used which was deleted in an earlier run. */
  long lastSlotOfEarlierRuns() {
    return takenAt << SLOTS_OF_RUN;
  }

  private Listing list() throws IOException {
    var slots = new TreeSet<Long>();
    Map<String, Instant> signs = new HashMap<>();
    for (var each : bucket.list("be leased", FOLDER)) {
      if (each.name().matches(USER + "[0-9a-f]{16}")) {
        slots.add(Long.parseLong(each.name().substring(USER.length()), 16));
      } else if (each.name().startsWith(SIGN)) {
        signs.put(each.name().substring(SIGN.length()), each.modified());
      }
    }
    return new Listing(slots, signs);
  }

  private @Nullable Entry read(long slot) throws IOException {
    var bytes = bucket.get("be leased", key(slot), SMALL);
    if (bytes.isEmpty()) {
      return null; // a process that is done has deleted it
    }
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes.get()))) {
      if (in.readInt() != MAGIC) {
        throw new IOException("it is no user of a store");
      }
      var entered =
          new StoreUser(
              in.readUTF(), in.readLong(), in.readUTF(), Instant.ofEpochMilli(in.readLong()));
      var itsToken = in.readUTF();
      var itsSlot = in.available() > 0 ? in.readLong() : 0; // earlier versions wrote none
      return new Entry(entered, itsToken, itsSlot);
    } catch (IOException reason) {
      throw new IOException(
          "the store %s cannot be leased: of %s, %s; delete that object if no run uses the store"
              .formatted(bucket, bucket.url(key(slot)), reason.getMessage()),
          reason);
    }
  }

  private byte[] written() throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeInt(MAGIC);
      out.writeUTF(user.run());
      out.writeLong(user.process());
      out.writeUTF(user.host());
      out.writeLong(user.since().toEpochMilli());
      out.writeUTF(token);
      out.writeLong(takenAt);
    }
    return bytes.toByteArray();
  }

  private boolean create(long slot) throws IOException {
    if (bucket.create("be leased", key(slot), ObjectContent.of(written()))) {
      return true;
    }
    var taken = read(slot);
    return taken != null && taken.token().equals(token); // the answer to an attempt was lost
  }

  /** Throws if a process of a run, which has the highest slot, gives signs of life. */
  private void refuseIfAlive(Listing listing, String run) throws IOException {
    List<Entry> alive = new ArrayList<>();
    for (var slot : listing.slots().descendingSet()) {
      var entry = read(slot);
      if (entry != null
          && entry.user().run().equals(run)
          && listing.signs().containsKey(entry.token())
          && listing.age(entry.token(), token).compareTo(LENGTH) <= 0) {
        alive.add(entry);
      }
    }
    if (alive.isEmpty()) {
      return;
    }
    var oldest = alive.getLast();
    var silence =
        alive.stream()
            .map(each -> listing.age(each.token(), token))
            .min(Comparator.naturalOrder())
            .orElseThrow();
    throw new IOException(oldest.user().refusal(bucket.toString(), silence, LENGTH));
  }

  /** Deletes the entries of the users of an earlier run. */
  private void clean(Listing listing) {
    List<String> left = new ArrayList<>();
    listing.slots().forEach(slot -> left.add(key(slot)));
    listing
        .signs()
        .forEach(
            (each, modified) -> {
              if (!each.equals(token) && listing.age(each, token).compareTo(LENGTH) > 0) {
                left.add(FOLDER + SIGN + each);
              }
            });
    deleteQuietly(left);
  }

  /** Deletes what is left of journals that earlier runs have deleted some time ago. */
  private void forgetQuietly(JournalChain.Deletions deleted) {
    try {
      deleted.forget(bucket);
    } catch (IOException e) {
      // the next run does so
    }
  }

  private void deleteQuietly(List<String> keys) {
    try {
      bucket.delete("release its lease", keys);
    } catch (IOException e) {
      // They mean nothing: the users have no sign, or lie below one of another run.
    }
  }

  private void renewAll() {
    var lastRenewal = System.nanoTime();
    while (!isReleased && lost == null) {
      LockSupport.parkNanos(RENEWAL.toNanos());
      if (isReleased) {
        return;
      }
      try {
        renew();
        lastRenewal = System.nanoTime();
      } catch (IOException failure) {
        if (System.nanoTime() - lastRenewal > LENGTH.toNanos()) {
          lost = "the lease of " + bucket + " could not be renewed: " + failure.getMessage();
        }
      }
    }
  }

  /** Renews the lease now. */
  void renew() throws IOException {
    giveSign();
    var highest = list().highest();
    if (highest == highestSlot) {
      return;
    }
    var owner = read(highest);
    if (owner != null && owner.user().run().equals(user.run())) {
      highestSlot = highest;
      return;
    }
    lost =
        "another run has taken over the store %s, because this process gave no sign for %d s"
            .formatted(bucket, LENGTH.toSeconds());
    deleteQuietly(List.of(sign()));
  }

  /** Throws if the store may not be used any more. */
  void check() throws IOException {
    if (isReleased) {
      throw new IOException("the store " + bucket + " is closed");
    }
    if (lost != null) {
      throw new IOException(lost);
    }
  }

  void release() throws IOException {
    isReleased = true;
    LockSupport.unpark(renewal);
    awaitRenewal(); // which would put the sign again
    bucket.delete("release its lease", List.of(sign()));
    if (list().highest() > ownSlot) {
      deleteQuietly(List.of(key(ownSlot)));
    }
  }

  private void awaitRenewal() {
    var wasInterrupted = false;
    while (true) {
      try {
        renewal.join();
        break;
      } catch (InterruptedException e) {
        wasInterrupted = true; // a request ends by itself
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

package org.troupe.store.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.troupe.store.s3.Bucket.Listed;
import org.troupe.store.s3.JournalPart.Content;
import org.troupe.store.s3.JournalPart.Deleted;
import org.troupe.store.s3.JournalPart.Imaged;
import org.troupe.store.s3.JournalPart.Opened;
import org.troupe.store.s3.JournalPart.State;

/** The objects of one journal: its parts, in numbered slots, and its images. */
final class JournalChain {

  /** Begins the keys of all parts. */
  private static final String ALL = "journals/";

  private static final String IMAGES = "images/";
  private static final int DIGITS = 16;
  private static final Pattern KEY = Pattern.compile("([^/]+)/([0-9a-f]{" + DIGITS + "})");
  private static final int ATTEMPTS = 100;
  private static final int READ_AHEAD = 16;
  private static final int SMALL = 1 << 20;

  private final Bucket bucket;
  private final String name;
  private final long lastOfEarlierRuns;

  /**
   * Creates the chain of a journal, which may be empty.
   *
   * @param lastOfEarlierRuns the last slot that a deleted journal of an earlier run can have used
   */
  JournalChain(Bucket bucket, String name, long lastOfEarlierRuns) {
    this.bucket = bucket;
    this.name = name;
    this.lastOfEarlierRuns = lastOfEarlierRuns;
  }

  /** Returns the names of all journals of a store. */
  static Set<String> names(Bucket bucket) throws IOException {
    Set<String> names = new TreeSet<>();
    slotsOfAll(bucket)
        .forEach(
            (name, slots) -> {
              if (!isDeletion(slots.lastEntry().getValue())) {
                names.add(name);
              }
            });
    return names;
  }

  /**
   * The remains of deleted journals.
   *
   * @param slots those of each; the last one has the part that says so
   */
  record Deletions(Map<JournalChain, TreeSet<Long>> slots) {

    /** Deletes everything; until the end, a journal remains a deleted one. */
    void forget(Bucket bucket) throws IOException {
      List<String> deletions = new ArrayList<>();
      for (var each : slots.entrySet()) {
        var last = each.getValue().last();
        each.getKey().deleteBefore(last, each.getValue()); // that may have been broken off
        deletions.add(each.getKey().key(last));
      }
      bucket.delete("delete a part of a journal", deletions);
    }
  }

  /**
   * Returns the parts that are left of deleted journals.
   *
   * @param before those that were deleted later are left out, by the clock of the server
   */
  static Deletions deletions(Bucket bucket, Instant before) throws IOException {
    Map<JournalChain, TreeSet<Long>> found = new HashMap<>();
    slotsOfAll(bucket)
        .forEach(
            (name, slots) -> {
              var last = slots.lastEntry().getValue();
              if (isDeletion(last) && last.modified().isBefore(before)) {
                found.put(new JournalChain(bucket, name, 0), new TreeSet<>(slots.keySet()));
              }
            });
    return new Deletions(found);
  }

  /** Lists the parts of all journals, by their names and slots. */
  private static Map<String, TreeMap<Long, Listed>> slotsOfAll(Bucket bucket) throws IOException {
    Map<String, TreeMap<Long, Listed>> found = new HashMap<>();
    for (var each : bucket.list("list its journals", ALL)) {
      var key = KEY.matcher(each.name());
      if (key.matches()) {
        found
            .computeIfAbsent(key.group(1), name -> new TreeMap<>())
            .put(Long.parseLong(key.group(2), 16), each);
      }
    }
    return found;
  }

  /** Returns whether a part is the end of a deleted journal. */
  private static boolean isDeletion(Listed part) {
    return part.length() == JournalPart.DELETED_LENGTH;
  }

  /**
   * The end of a chain, as it was read.
   *
   * @param isDeleted whether there is no journal
   */
  private record End(State state, long epoch, TreeSet<Long> slots, boolean isDeleted) {}

  /**
   * The last part of a chain.
   *
   * @param slots those of a list that ends with it
   */
  private record Last(JournalPart part, TreeSet<Long> slots) {
    long slot() {
      return part.state().slot();
    }

    boolean isDeletion() {
      return part.content() instanceof Deleted;
    }

    /** Returns a slot that the state needs and the list lacks. */
    OptionalLong missing() {
      return LongStream.range(part.state().firstSlot(), slot())
          .filter(each -> !slots.contains(each))
          .findFirst();
    }
  }

  /**
   * Appends the part by which a journal is opened: no other opening can append to the chain from
   * then on.
   *
   * @throws IOException if the journal is damaged, or was opened with a higher epoch
   */
  JournalPart open(long epoch, UUID writer) throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      var part = open(end(), epoch, writer);
      if (part.isPresent()) {
        return part.get();
      }
    }
    throw busy();
  }

  /** Opens the journal, as {@link #open(long, UUID)} does, unless there is none. */
  Optional<JournalPart> openExisting(long epoch, UUID writer) throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      var end = end();
      if (end.isDeleted()) {
        return Optional.empty();
      }
      var part = open(end, epoch, writer);
      if (part.isPresent()) {
        return part;
      }
    }
    throw busy();
  }

  private Optional<JournalPart> open(End end, long epoch, UUID writer) throws IOException {
    if (end.epoch() > epoch) {
      throw new IOException(
          "the journal '%s' in %s was opened with epoch %d, so epoch %d may not write it any more"
              .formatted(name, bucket, end.epoch(), epoch));
    }
    var part = part(next(end.state()), epoch, writer, new Opened());
    if (create("open a journal", part) && isLast(part)) {
      clean(end, part.state());
      return Optional.of(part);
    }
    return Optional.empty();
  }

  private IOException busy() {
    return new IOException(
        "the journal '%s' in %s could not be opened, because another process writes to it all the time; end that process"
            .formatted(name, bucket));
  }

  /** Returns the state of the same journal in its next slot. */
  private static State next(State state) {
    return new State(
        state.slot() + 1, state.firstSlot(), state.imageSlot(), state.upTo(), state.last());
  }

  /**
   * Returns whether a part is the last of the chain. It is not if its slot was used and deleted
   * after the chain had been read; then it lies before the parts that count, and has no effect.
   */
  private boolean isLast(JournalPart part) throws IOException {
    var slots = slots();
    return !slots.isEmpty() && slots.last() == part.state().slot();
  }

  private static JournalPart part(State state, long epoch, UUID writer, Content content) {
    return new JournalPart(state, epoch, writer, ThreadLocalRandom.current().nextLong(), content);
  }

  /** Returns the highest epoch with which the journal was opened; empty if there is none. */
  OptionalLong epoch() throws IOException {
    var last = last();
    return last.isEmpty() || last.get().isDeletion()
        ? OptionalLong.empty()
        : OptionalLong.of(last.get().part().epoch());
  }

  /** Returns whether the chain has gone on without a writer, or is gone. */
  boolean isTakenOverFrom(UUID writer) throws IOException {
    var last = last();
    return last.isEmpty() || !last.get().part().writer().equals(writer);
  }

  /** Reads the last part of the chain, if there is any. */
  private Optional<Last> last() throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      var slots = slots();
      if (slots.isEmpty()) {
        return Optional.empty();
      }
      var part = read(slots.last());
      if (part.isPresent()) {
        return Optional.of(new Last(part.get(), slots));
      }
      // It was deleted since the list began, after a higher one had been created.
    }
    throw busy();
  }

  private End end() throws IOException {
    var suspect = -1L;
    for (int i = 0; i < ATTEMPTS; i++) {
      var last = last();
      if (last.isEmpty()) {
        return none(0, new TreeSet<>());
      }
      var found = last.get();
      if (found.isDeletion()) {
        return none(found.slot(), found.slots());
      }
      var missing = found.missing();
      if (missing.isEmpty()) {
        return new End(found.part().state(), found.part().epoch(), found.slots(), false);
      }
      if (found.slot() == suspect) {
        throw missing(key(missing.getAsLong()));
      }
      // What was deleted since the list began lies before a part that the next list has.
      suspect = found.slot();
    }
    throw busy();
  }

  /** Returns the end of a chain without a journal. */
  private End none(long lastSlot, TreeSet<Long> slots) {
    var slot = Math.max(lastSlot, lastOfEarlierRuns);
    return new End(new State(slot, slot + 1, 0, 0, 0), 0, slots, true);
  }

  private TreeSet<Long> slots() throws IOException {
    var found = new TreeSet<Long>();
    for (var each : bucket.list("list the parts of a journal", folder())) {
      if (each.name().matches("[0-9a-f]{" + DIGITS + "}")) {
        found.add(Long.parseLong(each.name(), 16));
      }
    }
    return found;
  }

  /** Deletes the parts that an opening finds and does not need. */
  private void clean(End end, State state) {
    if (end.slots().isEmpty()) {
      return;
    }
    List<String> left = new ArrayList<>();
    end.slots().headSet(state.firstSlot()).forEach(slot -> left.add(key(slot)));
    try {
      var current = state.imageSlot() == 0 ? "" : image(state).key();
      for (var each : bucket.list("list images", images())) {
        // A later opening may be uploading its first image, which has a higher slot.
        if (!each.name().equals(current) && slotOf(each.name()) < state.slot()) {
          left.add(images() + each.name());
        }
      }
      delete(left);
    } catch (IOException e) {
      // the next opening deletes the rest
    }
  }

  private static long slotOf(String image) {
    return image.matches("[0-9a-f]{" + DIGITS + "}-.*")
        ? Long.parseLong(image.substring(0, DIGITS), 16)
        : Long.MAX_VALUE;
  }

  /**
   * Creates a part in its slot.
   *
   * @return {@code false} if the slot is taken by another part
   */
  boolean create(String what, JournalPart part) throws IOException {
    var key = key(part.state().slot());
    if (bucket.create(what, key, part.encode())) {
      return true;
    }
    var found = read(part.state().slot());
    return found.isPresent()
        && found.get().writer().equals(part.writer())
        && found.get().attempt() == part.attempt();
  }

  /** Reads a part, if its slot is taken. */
  Optional<JournalPart> read(long slot) throws IOException {
    var key = key(slot);
    var bytes = bucket.get("read a log", key, SMALL);
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(JournalPart.decode(bytes.get(), slot));
    } catch (IOException reason) {
      throw damaged(key, String.valueOf(reason.getMessage()));
    }
  }

  /** Receives parts in the order of their slots. */
  interface PartReader {
    void part(JournalPart part) throws IOException;
  }

  /** Reads parts, all of which must be there; some of them in advance. */
  void read(long first, long last, PartReader reader) throws IOException {
    Deque<CompletableFuture<JournalPart>> ahead = new ArrayDeque<>();
    var next = first;
    for (long slot = first; slot <= last; slot++) {
      for (; next <= last && ahead.size() < READ_AHEAD; next++) {
        ahead.add(begin(next));
      }
      try {
        reader.part(ahead.remove().join());
      } catch (CompletionException failure) {
        if (failure.getCause() instanceof UncheckedIOException cause) {
          throw Objects.requireNonNull(cause.getCause(), "why a part cannot be read");
        }
        throw failure;
      }
    }
  }

  private CompletableFuture<JournalPart> begin(long slot) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return require(slot);
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        },
        Thread::startVirtualThread);
  }

  /** Reads a part that must be there. */
  private JournalPart require(long slot) throws IOException {
    var part = read(slot);
    if (part.isEmpty()) {
      throw missing(key(slot));
    }
    return part.get();
  }

  /** Uploads an image, which has no effect before a part names it. */
  Imaged upload(long slot, ObjectContent content) throws IOException {
    var key = "%016x-%016x".formatted(slot, ThreadLocalRandom.current().nextLong());
    bucket.put("write an image", images() + key, content);
    return new Imaged(key, content.length(), content.checksum());
  }

  /** Returns where the image of a state is. */
  Imaged image(State state) throws IOException {
    var part = require(state.imageSlot());
    if (part.content() instanceof Imaged image) {
      return image;
    }
    throw damaged(key(state.imageSlot()), "it does not name an image");
  }

  /** Reads the image of a state. */
  byte[] readImage(State state) throws IOException {
    var image = image(state);
    var key = images() + image.key();
    var bytes = bucket.get("read an image", key, image.length());
    if (bytes.isEmpty()) {
      throw missing(key);
    }
    var sum = new CRC32C();
    sum.update(bytes.get());
    if (bytes.get().length != image.length()) {
      throw damaged(key, "it has %d of %d bytes".formatted(bytes.get().length, image.length()));
    }
    if ((int) sum.getValue() != image.checksum()) {
      throw damaged(key, "its " + image.length() + " bytes do not match their checksum");
    }
    return bytes.get();
  }

  /** Deletes parts and images. */
  void delete(Collection<String> keys) throws IOException {
    bucket.delete("delete a part of a journal", keys);
  }

  /**
   * Deletes the journal, unless it was opened with a higher epoch. The part that says so stays
   * until another run has the store, and for an hour at least.
   *
   * @param epoch that of the process that deletes it
   */
  void delete(long epoch) throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      var last = last();
      if (last.isEmpty() || !last.get().isDeletion() && last.get().part().epoch() > epoch) {
        return;
      }
      var slots = last.get().slots();
      if (last.get().isDeletion()) { // which may have been broken off
        deleteBefore(last.get().slot(), slots);
        return;
      }
      // First: a writer of the journal finds its next slot taken.
      var slot = last.get().slot() + 1;
      var part = part(new State(slot, slot, 0, 0, 0), 0, UUID.randomUUID(), new Deleted());
      if (create("delete a journal", part) && isLast(part)) {
        deleteBefore(slot, slots);
        return;
      }
    }
    throw busy();
  }

  /** Deletes what a deleted journal had, but for the part that says so. */
  private void deleteBefore(long slot, TreeSet<Long> slots) throws IOException {
    var before = slots.headSet(slot);
    if (!before.isEmpty()) {
      delete(imagesBefore(slot));
      delete(before.stream().map(this::key).toList());
    }
  }

  /** Returns the images of a deleted journal, without those of one that was created since. */
  private List<String> imagesBefore(long slot) throws IOException {
    return bucket.list("list images", images()).stream()
        .filter(each -> slotOf(each.name()) < slot)
        .map(each -> images() + each.name())
        .toList();
  }

  String key(long slot) {
    return folder() + "%016x".formatted(slot);
  }

  String imageKey(Imaged image) {
    return images() + image.key();
  }

  private String folder() {
    return ALL + name + "/";
  }

  private String images() {
    return IMAGES + name + "/";
  }

  /** Returns the error for a journal that another opening writes, or that was deleted. */
  IOException takenOver() {
    return new IOException(
        "the journal '%s' in %s has been taken over or deleted".formatted(name, bucket));
  }

  IOException damaged(String key, String reason) {
    return new IOException(
        "the journal '%s' is damaged: of %s, %s; restore that object, or delete all of %s and %s to give the journal up"
            .formatted(name, bucket.url(key), reason, bucket.url(folder()), bucket.url(images())));
  }

  private IOException missing(String key) {
    return new IOException(
        "the journal '%s' is damaged: %s is missing; restore that object, or delete all of %s and %s to give the journal up"
            .formatted(name, bucket.url(key), bucket.url(folder()), bucket.url(images())));
  }

  @Override
  public String toString() {
    return bucket + " (" + name + ")";
  }
}

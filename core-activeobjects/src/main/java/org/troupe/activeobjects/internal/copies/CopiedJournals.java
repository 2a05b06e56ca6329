package org.troupe.activeobjects.internal.copies;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.fault.BuddyStep;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.LostJournalException;

/**
 * The journals in the memory of the nodes of a grid, as one of its nodes uses them. Thread-safe.
 */
public final class CopiedJournals implements Journals {

  /*
   * A journal that this node owns is known here. For any other, all members are asked, since only those that have a
   * copy know of it: that is for restarts, which are rare, and for images of groups.
   */

  private final JournalCopies copies;
  private final CopyNetwork network;

  /** Creates the view of a node. */
  public CopiedJournals(JournalCopies copies) {
    this.copies = copies;
    this.network = copies.network();
  }

  @Override
  public Journal create(String name, long epoch) throws IOException {
    Journals.requireName(name);
    Journals.requireEpoch(epoch);
    if (!network.awaitCandidate()) {
      throw new IOException(
          "Store.copies(2) needs a second node, and node '%s' has none; start another node, or use Store.directory(..)"
              .formatted(network.self()));
    }
    return new CopiedJournal(copies.create(name, epoch), epoch);
  }

  @Override
  public Journal open(String name, long epoch) throws IOException {
    Journals.requireName(name);
    Journals.requireEpoch(epoch);
    var found = find(name, epoch, false);
    return found == null ? create(name, epoch) : new CopiedJournal(found, epoch);
  }

  @Override
  public Journal openExisting(String name, long epoch) throws IOException {
    var found = find(name, epoch, true);
    if (found == null) {
      throw new LostJournalException(loss(name));
    }
    return new CopiedJournal(found, epoch);
  }

  private static String loss(String name) {
    return ("all copies of it were lost: no node has its journal '%s' any more, as both nodes with a copy were lost before"
            + " there was another one; an object that is to survive that needs a store on disk, such as"
            + " Store.directory(..)")
        .formatted(name);
  }

  /**
   * Returns which of some journals no node has any more, with the reasons.
   *
   * @param ask asks all members for the names of the journals of which they have copies
   * @throws IOException if a member that is not lost does not answer
   */
  public static Map<String, String> lost(
      Set<String> names, Supplier<Map<NodeId, CompletableFuture<List<String>>>> ask)
      throws IOException {
    Set<NodeId> gone = new HashSet<>();
    for (; ; ) {
      var isComplete = true;
      Set<String> missing = new TreeSet<>(names);
      for (var each : ask.get().entrySet()) {
        if (gone.contains(each.getKey())) {
          continue;
        }
        var its = answer(each.getValue(), each.getKey());
        if (its.isEmpty()) { // perhaps it has passed its copies on to one that has answered
          isComplete = false;
          gone.add(each.getKey());
        } else {
          missing.removeAll(Set.copyOf(its.get()));
        }
      }
      if (isComplete || missing.isEmpty()) {
        return missing.stream()
            .collect(Collectors.toMap(Function.identity(), CopiedJournals::loss));
      }
    }
  }

  /**
   * Becomes the owner of a journal; returns {@code null} if no node has it.
   *
   * @param isExpected whether a node should have it, so that all are asked before that is denied
   */
  private @Nullable OwnedJournal find(String name, long epoch, boolean isExpected)
      throws IOException {
    for (; ; ) {
      var own = copies.owned(name);
      if (own != null && !own.isAdopted()) {
        own.reopen(epoch);
        return own;
      }
      var others = heads(name, 0);
      var head = copies.head(name).orElse(null);
      if (isExpected && head == null && others.isEmpty()) {
        others = allHeads(name);
        head = copies.head(name).orElse(null);
      }
      var best = network.self();
      for (var each : others.entrySet()) {
        if (head == null || each.getValue().compareTo(head) > 0) {
          head = each.getValue();
          best = each.getKey();
        }
      }
      if (head == null) {
        return null;
      }
      if (head.epoch() > epoch) {
        throw new IOException(
            "the journal '%s' was opened with the epoch %d, so it cannot be with %d"
                .formatted(name, head.epoch(), epoch));
      }
      var claimed =
          best.equals(network.self())
              ? copies.claimHere(name, epoch)
              : claim(best, name, epoch).orElse(null);
      if (claimed != null) {
        BuddyStep.COPY_CLAIMED.passes(network.self());
        awaitOnlyCopies(claimed, others);
        return claimed;
      } // the copy has gone meanwhile, or its node has
    }
  }

  /**
   * Lets other nodes drop their copies, which will not get what is written from now on. Waits for
   * that, and before for a second copy if there is none.
   */
  private void awaitOnlyCopies(OwnedJournal claimed, Map<NodeId, CopyHead> others)
      throws IOException {
    var copied = claimed.membersChanged();
    if (others.keySet().stream().allMatch(claimed::isBuddy)) {
      return; // what is written waits for the second copy
    }
    try {
      copied.join();
      copies.dropOthers(claimed, others).join();
    } catch (CompletionException failure) {
      var cause = Objects.requireNonNullElse(failure.getCause(), failure);
      throw new IOException(
          "the copies of the journal '%s' on other nodes were not dropped: %s"
              .formatted(claimed.name(), cause.getMessage()),
          failure);
    }
  }

  private Optional<OwnedJournal> claim(NodeId holder, String name, long epoch) throws IOException {
    var claimed =
        answer(network.claim(holder, name, epoch), holder)
            .flatMap(copy -> copy)
            .map(copy -> copies.claimed(holder, copy));
    claimed.ifPresent(its -> its.dropped().join());
    return claimed.map(JournalCopies.Claimed::journal);
  }

  /** Returns the heads of the copies of a journal on the other nodes that this one knows. */
  private Map<NodeId, CopyHead> heads(String name, long change) throws IOException {
    Map<NodeId, CopyHead> found = new HashMap<>();
    copies
        .headsElsewhere(List.of(name), change)
        .forEach((node, all) -> found.put(node, all.get(name)));
    return found;
  }

  /** Returns the heads of the copies of a journal on all other nodes; none is on its way. */
  private Map<NodeId, CopyHead> allHeads(String name) throws IOException {
    for (var change = lastChange(); ; ) {
      network.awaitChange(change);
      var found = heads(name, change);
      var last = lastChange();
      if (last == change) {
        return found;
      }
      change = last;
    }
  }

  private long lastChange() throws IOException {
    try {
      return network.lastChange().join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof NodeLostException) {
        return 0; // without the coordinator, the grid ends
      }
      throw new IOException(
          "the coordinator did not say which nodes the grid has: " + failure.getCause(), failure);
    }
  }

  /** Waits for an answer; empty if the node is lost, which then has no copy any more. */
  static <T> Optional<T> answer(CompletableFuture<T> answer, NodeId node) throws IOException {
    try {
      return Optional.of(answer.join());
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof NodeLostException) {
        return Optional.empty();
      }
      throw new IOException(
          "node '%s' did not answer for its copies of journals: %s"
              .formatted(node, failure.getCause()),
          failure);
    }
  }

  @Override
  public OptionalLong epoch(String name) throws IOException {
    var own = copies.owned(name);
    if (own != null) {
      return OptionalLong.of(own.epoch());
    }
    var all = heads(name, 0);
    copies.head(name).ifPresent(head -> all.put(network.self(), head));
    return all.values().stream().mapToLong(CopyHead::epoch).max();
  }

  @Override
  public Set<String> names() throws IOException {
    Set<String> all = new TreeSet<>(copies.names());
    Map<NodeId, CompletableFuture<List<String>>> asked = new HashMap<>();
    network.members().forEach(each -> asked.put(each, network.names(each)));
    for (var each : asked.entrySet()) {
      answer(each.getValue(), each.getKey()).ifPresent(all::addAll);
    }
    return all;
  }

  /** Deletes a journal; no node has a copy of it when this returns. */
  @Override
  public void delete(String name) throws IOException {
    var ended = copies.delete(name);
    Map<NodeId, CompletableFuture<Void>> dropped = new HashMap<>();
    if (ended != null) {
      ended.atRest().join(); // no update arrives after the copies are dropped
      for (var each : ended.holders()) {
        var self = network.self();
        dropped.put(each, network.drop(each, name, ended.birth(), ended.epoch(), self));
      }
    }
    if (ended == null || !ended.isWithoutStrays()) {
      for (var each : allHeads(name).entrySet()) {
        var head = each.getValue();
        var holder = each.getKey();
        dropped.put(holder, network.drop(holder, name, head.birth(), head.epoch(), head.owner()));
      }
    }
    for (var each : dropped.entrySet()) {
      try {
        each.getValue().join();
      } catch (CompletionException failure) {
        if (!(failure.getCause() instanceof NodeLostException)) {
          throw new IOException(
              "node '%s' did not delete its copy of the journal '%s': %s"
                  .formatted(each.getKey(), name, failure.getCause()),
              failure);
        }
      }
    }
  }

  /** Does nothing: the journals stay while the node takes part in its grid. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return "Store.copies(2)";
  }
}

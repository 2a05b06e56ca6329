package org.troupe.activeobjects.internal.copies;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
  public Journal create(String name) throws IOException {
    Journals.requireName(name);
    if (!network.awaitCandidate()) {
      throw new IOException(
          "Store.copies(2) needs a second node, and node '%s' has none; start another node, or use Store.directory(..)"
              .formatted(network.self()));
    }
    return new CopiedJournal(copies.create(name, 0), 0);
  }

  @Override
  public Journal open(String name, long epoch) throws IOException {
    Journals.requireName(name);
    Journals.requireEpoch(epoch);
    var found = find(name, epoch);
    if (found != null) {
      return new CopiedJournal(found, epoch);
    }
    var made = create(name);
    var own = copies.owned(name);
    if (epoch == 0 || own == null) {
      return made;
    }
    own.reopen(epoch);
    return new CopiedJournal(own, epoch);
  }

  @Override
  public Journal openExisting(String name, long epoch) throws IOException {
    var found = find(name, epoch);
    if (found == null) {
      throw new LostJournalException(
          "no node has its journal '%s' any more: both nodes with a copy were lost before there was another one"
              .formatted(name));
    }
    return new CopiedJournal(found, epoch);
  }

  /** Becomes the owner of a journal; returns {@code null} if no node has it. */
  private @Nullable OwnedJournal find(String name, long epoch) throws IOException {
    var own = copies.owned(name);
    if (own != null) {
      own.reopen(epoch);
      return own;
    }
    var others = heads(name);
    var best = network.self();
    var head = copies.head(name).orElse(null);
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
        best.equals(network.self()) ? copies.claimHeld(name, epoch) : claim(best, name, epoch);
    if (claimed == null) {
      throw new IOException(
          "the copy of the journal '%s' on node '%s' has gone while it was claimed"
              .formatted(name, best));
    }
    BuddyStep.COPY_CLAIMED.passes(network.self());
    dropWhenSafe(claimed, others.keySet(), name);
    return claimed;
  }

  private @Nullable OwnedJournal claim(NodeId holder, String name, long epoch) throws IOException {
    var copy = result(network.claim(holder, name, epoch), holder);
    return copy.isEmpty() ? null : copies.claimed(holder, copy.get());
  }

  /** Deletes other copies when there are two new ones. */
  private void dropWhenSafe(OwnedJournal claimed, Set<NodeId> others, String name) {
    claimed
        .membersChanged()
        .thenRun(
            () -> {
              for (var each : others) {
                if (!claimed.isBuddy(each)) {
                  network.drop(each, name, claimed.epoch());
                }
              }
            });
  }

  private Map<NodeId, CopyHead> heads(String name) throws IOException {
    Map<NodeId, CompletableFuture<Optional<CopyHead>>> asked = new HashMap<>();
    network.members().forEach(each -> asked.put(each, network.head(each, name)));
    Map<NodeId, CopyHead> found = new HashMap<>();
    for (var each : asked.entrySet()) {
      var head = result(each.getValue(), each.getKey());
      head.ifPresent(its -> found.put(each.getKey(), its));
    }
    return found;
  }

  /** Waits for an answer; a node that is lost has no copy any more. */
  private static <T> Optional<T> result(CompletableFuture<Optional<T>> answer, NodeId node)
      throws IOException {
    try {
      return answer.join();
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
    var all = heads(name);
    copies.head(name).ifPresent(head -> all.put(network.self(), head));
    return all.values().stream().mapToLong(CopyHead::epoch).max();
  }

  @Override
  public Set<String> names() throws IOException {
    Set<String> all = new TreeSet<>(copies.names());
    Map<NodeId, CompletableFuture<Optional<List<String>>>> asked = new HashMap<>();
    network.members().forEach(each -> asked.put(each, network.names(each).thenApply(Optional::of)));
    for (var each : asked.entrySet()) {
      result(each.getValue(), each.getKey()).ifPresent(all::addAll);
    }
    return all;
  }

  @Override
  public void delete(String name) throws IOException {
    var own = copies.owned(name);
    if (own != null) {
      var epoch = own.epoch();
      var buddy = copies.delete(name);
      if (buddy != null) {
        network.drop(buddy, name, epoch);
      }
      return;
    }
    copies.delete(name);
    heads(name).forEach((node, head) -> network.drop(node, name, head.epoch()));
  }

  /** Does nothing: the journals stay while the node takes part in its grid. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return "Store.copies(2)";
  }
}

package org.troupe.groups.checkpoint;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.groups.CollectiveException;

/** Makes a group again from the newest complete generation of a store. */
public final class GroupRestoration {

  /*
   * Design: a generation is chosen by all
   *
   * A generation counts if the image of each member is stable. No other file says so: a member writes its image only
   * after all members have agreed that their images are of one cut, and the former generation is deleted only after all
   * images are stable. So of the generations with a name for each member, the newest one is taken of which each
   * member can read its image; one whose last images were never stable is passed over. An image that is damaged is an error,
   * since the generation may be the only one.
   *
   * Images refer to other members by rank. All members are therefore created first, without their states, and their
   * stubs given to each; then the states are decoded. A call of a member that has no state yet waits in its queue.
   */

  /** Creates the extension that makes the objects the members of a group. */
  public interface Membership {
    /** Returns the extension that each member gets a copy of. */
    BodyExtension of(Generation generation, List<?> members, List<Node> places);
  }

  private static final System.Logger LOG = System.getLogger("org.troupe.groups");

  private final Class<?> type;
  private final Store store;
  private final Options options;

  /** Prepares the restoration of a group of a type. */
  public GroupRestoration(Class<?> type, Store store, Options options) {
    this.type = type;
    this.store = store;
    this.options = options;
  }

  /**
   * Restores the group; waits until all members serve.
   *
   * @param first a node, to look into the store
   * @param placement gives the node of each of a number of members
   * @return the stubs of the members, by rank; empty if the store has no complete generation
   * @throws CollectiveException if it cannot be restored
   */
  public List<Object> restore(
      Node first, IntFunction<List<Node>> placement, Membership membership) {
    var stored = StoredGenerations.of(type.getName(), names(first));
    for (var each : stored.complete()) {
      var members = restore(each, placement.apply(each.members()), membership);
      if (members != null) {
        return members;
      }
    }
    stored
        .lacking()
        .ifPresent(
            lacking ->
                LOG.log(
                    Level.WARNING,
                    "the store {0} has no complete checkpoint of a group of {1}: {2}. Either the first checkpoint was broken off, or files are missing, which a copy of the store may have",
                    store,
                    type.getName(),
                    lacking));
    return List.of();
  }

  private List<String> names(Node node) {
    var finder = ActiveObjects.ref(ActiveObjects.on(node).create(MemberRestorer.class, store));
    try {
      return finder.ask(MemberRestorer::names).join();
    } catch (CompletionException failure) {
      throw failed("the store " + store + " cannot be read", failure);
    } finally {
      finder.terminate();
    }
  }

  private @Nullable List<Object> restore(
      Generation generation, List<Node> places, Membership membership) {
    List<Ref<MemberRestorer>> restorers = new ArrayList<>();
    var isRestored = false;
    try {
      var created =
          places.stream()
              .map(each -> ActiveObjects.on(each).createAsync(MemberRestorer.class, store))
              .toList();
      for (var each : created) {
        restorers.add(ActiveObjects.ref(each.join()));
      }
      var ranks = new int[] {0};
      var read = byEach(restorers, each -> read(each, generation.image(ranks[0]++)));
      if (read.contains(false)) {
        return null;
      }
      var members = byEach(restorers, each -> each.ask(it -> it.vacancy(type.getName(), options)));
      var extension = membership.of(generation, members, places);
      byEach(restorers, each -> each.tell(it -> it.fill(members, extension)));
      isRestored = true;
      return members;
    } catch (CompletionException failure) {
      throw failed("the creation of a member has failed", failure);
    } finally {
      for (var each : restorers) {
        end(each, isRestored);
      }
    }
  }

  private static CompletableFuture<Boolean> read(Ref<MemberRestorer> by, String name) {
    return by.ask(it -> it.read(name));
  }

  /** Ends the creator of a member; the member, too, if the group is not restored. */
  private static void end(Ref<MemberRestorer> restorer, boolean isRestored) {
    try {
      if (!isRestored) {
        restorer.tell(MemberRestorer::abandon).exceptionally(_ -> null);
      }
      restorer.terminate().exceptionally(_ -> null);
    } catch (NodeLostException lost) {
      // It has ended with its node.
    }
  }

  /** Makes a call for each member, all at a time; waits for all, and fails with the first rank. */
  private <V> List<V> byEach(
      List<Ref<MemberRestorer>> restorers,
      Function<Ref<MemberRestorer>, CompletableFuture<V>> call) {
    List<CompletableFuture<V>> answers = restorers.stream().map(call).toList();
    List<V> values = new ArrayList<>();
    CollectiveException first = null;
    for (var rank = 0; rank < answers.size(); rank++) {
      try {
        values.add(answers.get(rank).join());
      } catch (CompletionException failure) {
        var its = failed("member " + rank + " could not be restored", failure);
        first = first == null ? its : first;
      }
    }
    if (first != null) {
      throw first;
    }
    return values;
  }

  private CollectiveException failed(String what, CompletionException failure) {
    var cause = failure.getCause() == null ? failure : failure.getCause();
    var exception =
        new CollectiveException(
            "%s from the checkpoint of a group of %s in %s: %s"
                .formatted(what, type.getName(), store, cause.getMessage()));
    exception.initCause(cause);
    return exception;
  }
}

package org.troupe.activeobjects.internal.coordination;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.SaveParticipant;
import org.troupe.activeobjects.internal.object.SaveParticipant.Saved;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.service.MembershipView;
import org.troupe.activeobjects.internal.service.NodeServiceClient;
import org.troupe.activeobjects.internal.service.NodeServices;
import org.troupe.activeobjects.internal.service.ThreadedTask;
import org.troupe.activeobjects.internal.supervision.Supervisor;

/** Makes the save points of a grid, on its coordinator. */
public final class SavePoints {

  /*
   * Design: hold, mark, release, copy
   *
   * All members hold back the output of their logged objects; when all have answered, all mark the logs; when all have
   * answered that, the output is released, two exchanges after it was held. Then each member copies the marked
   * journals while the objects serve on, and one member for each store writes the list by which the save point counts. NodeSaves
   * explains why the marks are a consistent cut.
   *
   * The brief hold replaces a number in each message between logged objects, so that no call pays for save points.
   *
   * An attempt counts if the grid has the same members from before the first hold until the last mark, and no object is being
   * made again. Otherwise it ends without an effect and the next one follows. A member that does not answer is declared dead. While
   * output is held, an answer has a time limit, too, since all callers wait for it. The copies have none: they take as long as the
   * stores need, and objects serve on meanwhile.
   *
   * Objects that sleep on no node are woken before, since a node has to copy their journals.
   */

  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 50;
  private static final long PATIENCE_SECONDS = 30; // for the answer of a member, or for a restart

  private final NodeObjects node;
  private final MemberTable members;
  private final Supplier<Supervisor> supervisor;
  private final NodeServices services;
  private final ReentrantLock one = new ReentrantLock(); // at a time
  private Set<String> expected = Set.of(); // the journals that were marked, of supervised objects

  public SavePoints(
      NodeObjects node,
      MemberTable members,
      Supplier<Supervisor> supervisor,
      NodeServices services) {
    this.node = node;
    this.members = members;
    this.supervisor = supervisor;
    this.services = services;
  }

  /** Returns the name of a save point, if every store accepts it. */
  public static String requireName(String name) {
    if (!name.matches("[A-Za-z0-9_-]{1,50}")) {
      throw new IllegalArgumentException(
          "a save point cannot have the name '"
              + name
              + "'; give 1 to 50 letters, digits, '-' and '_'");
    }
    return name;
  }

  /** Makes a save point; completes when it is stable. */
  public CompletableFuture<Void> save(String name) {
    requireName(name);
    return ThreadedTask.start(
        () -> {
          one.lock();
          try {
            make(name);
          } finally {
            one.unlock();
          }
          return null;
        });
  }

  /** Deletes a save point from all stores that the grid uses. */
  public CompletableFuture<Void> delete(String name) {
    requireName(name);
    return ThreadedTask.start(
        () -> {
          one.lock();
          try {
            askPatiently(
                members.list(), onOwn(own -> own.delete(name)), each -> each.deleteSave(name));
          } finally {
            one.unlock();
          }
          return null;
        });
  }

  private void make(String name) throws Exception {
    awaitPresence(); // their nodes have opened their stores then
    if (ask(members.list(), own -> own.has(name), each -> each.hasSave(name)).contains(true)) {
      throw new IllegalStateException(
          "there is a save point '" + name + "' already; delete it, or give another name");
    }
    @Nullable String why = "";
    for (var attempt = 1; attempt <= ATTEMPTS; attempt++) {
      awaitPresence();
      var view = members.view();
      try {
        var parts = mark(view) ? copied(name, view) : null;
        if (parts != null) {
          complete(name, view, parts);
          return;
        }
        why = "nodes have joined or were lost meanwhile, or objects moved or were being made again";
      } catch (NodeLostException | IOException failure) { // an object may be restarted just now
        why = failure.getMessage();
      } finally {
        end(view);
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS * attempt);
    }
    askPatiently(members.list(), onOwn(own -> own.delete(name)), each -> each.deleteSave(name));
    throw new IllegalStateException(
        "the save point '%s' was not made in %d attempts: %s; try again when the grid is at rest"
            .formatted(name, ATTEMPTS, why));
  }

  /** Waits until all objects are on nodes. */
  private void awaitPresence() throws Exception {
    var all = new ArrayList<>(supervisor.get().unsettled());
    all.addAll(supervisor.get().asleepOnNoNode());
    for (var each : all) {
      supervisor.get().settled(each).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Marks all logs while output is held; returns whether the marks count. */
  private boolean mark(MembershipView.View view) throws Exception {
    try {
      ask(view.members(), onOwn(SaveParticipant::hold), NodeServiceClient::holdOutput);
      var marked = ask(view.members(), SaveParticipant::mark, NodeServiceClient::markLogs);
      expected = supervisor.get().loggedJournals();
      return !marked.contains(false)
          && members.view().number() == view.number()
          && supervisor.get().unsettled().isEmpty()
          && supervisor.get().asleepOnNoNode().isEmpty();
    } finally {
      ask(view.members(), onOwn(SaveParticipant::release), NodeServiceClient::releaseOutput);
    }
  }

  /** The journals of one store, one of whose users writes the list of them. */
  private record Part(int writer, Set<String> journals) {}

  /** Copies all marked journals; returns {@code null} if that of a moving object is missing. */
  private @Nullable Map<Store, Part> copied(String name, MembershipView.View view)
      throws Exception {
    Map<Store, Part> parts = new LinkedHashMap<>();
    Set<String> copied = new HashSet<>();
    var all =
        askPatiently(
            view.members(),
            own -> own.copy(name),
            each -> each.copyMarked(name).thenApply(List::of));
    for (var i = 0; i < all.size(); i++) {
      var writer = i;
      for (Saved each : all.get(i)) {
        parts
            .computeIfAbsent(each.store(), store -> new Part(writer, new LinkedHashSet<>()))
            .journals()
            .add(each.journal());
        copied.add(each.journal());
      }
    }
    return copied.containsAll(expected) ? parts : null;
  }

  /** Lets one member for each store write the list of its journals. */
  private void complete(String name, MembershipView.View view, Map<Store, Part> parts)
      throws Exception {
    if (parts.isEmpty()) {
      throw new IllegalStateException(
          "the save point '"
              + name
              + "' was not made: no object of this grid has a log; create them withKeep(Keep.calls(store))");
    }
    for (var each : parts.entrySet()) {
      var store = each.getKey();
      var list = List.copyOf(each.getValue().journals());
      askPatiently(
          List.of(view.members().get(each.getValue().writer())),
          onOwn(own -> own.complete(name, store, list)),
          service -> service.completeSave(name, store, list.toArray(String[]::new)));
    }
  }

  private void end(MembershipView.View view) throws InterruptedException {
    try {
      ask(view.members(), onOwn(SaveParticipant::end), NodeServiceClient::endSave);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception lost) {
      // A lost node holds nothing any more; the next attempt begins with forgetting this one.
    }
  }

  /** A part of a save point on this node. */
  private interface Own<T> {
    T on(SaveParticipant participant) throws Exception;
  }

  private interface OwnAction {
    void on(SaveParticipant participant) throws Exception;
  }

  private static Own<Boolean> onOwn(OwnAction action) {
    return participant -> {
      action.on(participant);
      return true;
    };
  }

  /** Asks all members at the same time, and waits for all answers, for a limited time. */
  private <T> List<T> ask(
      List<NodeDescription> all,
      Own<T> here,
      Function<NodeServiceClient, CompletableFuture<T>> there)
      throws Exception {
    return ask(all, here, there, this::inTime);
  }

  /** Asks all members at the same time, and waits for all answers however long they take. */
  private <T> List<T> askPatiently(
      List<NodeDescription> all,
      Own<T> here,
      Function<NodeServiceClient, CompletableFuture<T>> there)
      throws Exception {
    return ask(all, here, there, answer -> answer);
  }

  private <T> List<T> ask(
      List<NodeDescription> all,
      Own<T> here,
      Function<NodeServiceClient, CompletableFuture<T>> there,
      UnaryOperator<CompletableFuture<T>> limited)
      throws Exception {
    Map<NodeDescription, CompletableFuture<T>> asked = new LinkedHashMap<>();
    for (var each : all) {
      asked.put(
          each,
          each.id().equals(node.id())
              ? ThreadedTask.start(() -> here.on(node.host().keeper().saves()))
              : asked(each, there));
    }
    List<T> answers = new ArrayList<>();
    @Nullable Exception failure = null;
    for (var each : asked.entrySet()) {
      try {
        answers.add(limited.apply(each.getValue()).get());
      } catch (ExecutionException failed) {
        failure =
            switch (failed.getCause()) {
              case TimeoutException _ ->
                  new IllegalStateException(
                      "node '%s' did not answer within %d s"
                          .formatted(each.getKey().id(), PATIENCE_SECONDS));
              case Exception cause -> cause;
              case null, default -> failed;
            };
      }
    }
    if (failure != null) {
      throw failure;
    }
    return answers;
  }

  /** Returns an answer that fails if it is late. */
  private <T> CompletableFuture<T> inTime(CompletableFuture<T> answer) {
    if (answer.isDone()) {
      return answer;
    }
    var limited = answer.copy();
    node.restartClock()
        .schedule(
            () -> limited.completeExceptionally(new TimeoutException()),
            TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
    return limited;
  }

  private <T> CompletableFuture<T> asked(
      NodeDescription member, Function<NodeServiceClient, CompletableFuture<T>> question) {
    try {
      return question.apply(services.of(member));
    } catch (RuntimeException lost) {
      return CompletableFuture.failedFuture(lost);
    }
  }
}

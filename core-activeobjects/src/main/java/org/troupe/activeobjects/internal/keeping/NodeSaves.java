package org.troupe.activeobjects.internal.keeping;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.internal.fault.SaveStep;
import org.troupe.activeobjects.internal.object.SaveParticipant;

/**
 * The part of one node in save points: marks the logs of its objects, and copies them. Thread-safe.
 */
final class NodeSaves implements SaveParticipant {

  /*
   * Design: a consistent cut while output is held
   *
   *   NONE --hold--> HELD --mark--> HELD --release--> COPYING --copy--> NONE
   *
   * All nodes hold back the output of their logged objects before the first log is marked, and release it when the last one is.
   * A message that an object takes in front of its mark has therefore left its sender in front of the sender's mark: output
   * that depends on input behind a mark is held until all logs are marked. So the marks are a consistent cut. A message that
   * was sent in front of one mark and is taken behind another is sent again by its sender, as after a loss.
   *
   * Output that has passed the gate before it was closed may leave later: it depends on earlier input only.
   *
   * A journal is copied after the release, while the object serves on; only an image that goes beyond the mark waits for the copy, as
   * does the deletion of the journal. An object that is made meanwhile gets its mark when it is added: nothing has come to it or left it.
   */

  private final KeptObjects objects;
  private final NodeId node;
  private final OutputGate gate = new OutputGate();
  private final Set<KeptObject> marked = ConcurrentHashMap.newKeySet(); // some may have ended
  private volatile boolean isSaving;

  NodeSaves(KeptObjects objects, NodeId node) {
    this.objects = objects;
    this.node = node;
  }

  OutputGate gate() {
    return gate;
  }

  /** Handles a new object, before its service. */
  void added(KeptObject object) {
    var log = object.calls();
    if (isSaving && log != null && log.mark()) {
      marked.add(object);
    }
  }

  private List<KeptObject> logged() {
    return objects.all().stream().filter(each -> each.calls() != null).toList();
  }

  private static CallJournal log(KeptObject object) {
    return Objects.requireNonNull(object.calls(), "the log of a logged object");
  }

  private static Store store(KeptObject object) {
    var store = object.stored().options().keep().store();
    return Objects.requireNonNull(store, "the store of a kept object");
  }

  @Override
  public void hold() {
    for (var each : logged()) {
      if (store(each) instanceof Store.Copies) {
        throw new IllegalStateException(
            "%s is kept in %s, which ends with its grid, so it can be in no save point; keep it in a store that lasts, such as Store.directory(..)"
                .formatted(each, store(each)));
      }
    }
    unmark(); // the rest of an attempt that was broken off
    isSaving = true;
    gate.hold();
    SaveStep.SAVE_ANNOUNCED.passes(node);
  }

  @Override
  public boolean mark() {
    if (!gate.isHeld()) {
      return false;
    }
    for (var each : logged()) {
      if (!log(each).mark()) {
        return false; // it is being made again, or has ended
      }
      marked.add(each);
      SaveStep.SAVE_MARKED.passes(node);
    }
    return gate.isHeld();
  }

  @Override
  public void release() {
    gate.release();
    SaveStep.OUTPUT_RELEASED.passes(node);
  }

  @Override
  public List<Saved> copy(String save) throws IOException {
    isSaving = false; // objects that are made from now on are no part of it
    var all = List.copyOf(marked);
    List<CompletableFuture<Void>> copies = new ArrayList<>();
    for (var each : all) {
      copies.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  copy(save, each);
                } catch (IOException failure) {
                  throw new CompletionException(failure);
                }
              },
              Thread::startVirtualThread));
    }
    try {
      CompletableFuture.allOf(copies.toArray(CompletableFuture<?>[]::new)).join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof IOException cause ? cause : new IOException(failure);
    } finally {
      unmark(); // also what was not copied, whose mark would count for the next attempt
    }
    return all.stream().map(each -> new Saved(store(each), each.stored().journal())).toList();
  }

  private void copy(String save, KeptObject object) throws IOException {
    var journals = objects.journals(store(object), true);
    var name = object.stored().journal();
    var copy = SaveNames.copy(save, name);
    journals.delete(copy); // of an attempt that was broken off
    try (var to = journals.open(copy, journals.epoch(name).orElse(0))) {
      log(object).copyTo(to);
    }
    SaveStep.JOURNAL_COPIED.passes(node);
  }

  @Override
  public void complete(String save, Store store, List<String> journals) throws IOException {
    SaveStep.SAVE_LISTED.passes(node);
    SaveNames.write(objects.journals(store, true), SaveNames.list(save), journals);
  }

  @Override
  public void end() {
    isSaving = false;
    gate.release();
    unmark();
  }

  private void unmark() {
    for (var each : List.copyOf(marked)) {
      log(each).unmark();
      marked.remove(each);
    }
  }

  @Override
  public boolean has(String save) throws IOException {
    for (var each : objects.stores()) {
      if (SaveNames.read(each, SaveNames.list(save)) != null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void delete(String save) throws IOException {
    for (var each : objects.stores()) {
      SaveNames.delete(each, save);
    }
  }
}

package org.troupe.activeobjects.internal.body;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The stages of one object that have not run yet. Thread-safe. */
final class UnfinishedStages {

  private static final int FEW = 16;

  private final List<CompletableFuture<?>> stages = new ArrayList<>(); // may have finished ones
  private int most = FEW; // when it has grown to this size, finished ones are removed

  synchronized void add(CompletableFuture<?> stage) {
    if (stages.size() >= most) {
      stages.removeIf(CompletableFuture::isDone);
      most = Math.max(FEW, 2 * stages.size());
    }
    stages.add(stage);
  }

  synchronized int count() {
    stages.removeIf(CompletableFuture::isDone);
    return stages.size();
  }
}

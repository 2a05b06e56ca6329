package org.troupe.program;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeLostException;

/** Fills a ledger that may be lost. */
public class Clerk {

  private static final int WINDOW = 20;

  /** Makes numbered calls; returns those that were answered. */
  public List<Integer> fill(Ledger ledger, String name, int count) {
    return filled(ledger, name, count);
  }

  /** Implements {@link #fill} for a caller that is no active object. */
  public static List<Integer> filled(Ledger ledger, String name, int count) {
    var ref = ActiveObjects.ref(ledger);
    List<Integer> answered = new ArrayList<>();
    for (var from = 0; from < count; from += WINDOW) {
      List<CompletableFuture<Integer>> asked = new ArrayList<>();
      for (var i = from; i < from + WINDOW; i++) {
        var number = i;
        try {
          asked.add(ref.ask(it -> it.enterAndAnswer(name, number)));
        } catch (NodeLostException e) {
          return answered; // the object is lost
        }
      }
      for (var each : asked) {
        try {
          answered.add(each.join());
        } catch (CompletionException failure) {
          if (!(failure.getCause() instanceof NodeLostException)) {
            throw failure;
          }
        }
      }
    }
    return answered;
  }
}

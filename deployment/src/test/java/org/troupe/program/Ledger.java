package org.troupe.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.RestartedException;

/** Keeps the numbers of each sender in the order in which they come, and can move. */
public class Ledger {

  private final Map<String, List<Integer>> entries = new HashMap<>();
  private final List<String> places = new ArrayList<>();
  private transient Runnable whenEntered; // stays behind if the ledger moves

  public void enter(String sender, int number) {
    entries.computeIfAbsent(sender, each -> new ArrayList<>()).add(number);
    if (whenEntered != null) {
      whenEntered.run();
    }
  }

  /** Answers when a sender has made that many entries. */
  public CompletableFuture<Integer> entered(String sender, int count) {
    var reached = new CompletableFuture<Integer>();
    whenEntered =
        () -> {
          if (entries.getOrDefault(sender, List.of()).size() >= count) {
            reached.complete(count);
          }
        };
    whenEntered.run();
    return reached;
  }

  public int enterAndAnswer(String sender, int number) {
    enter(sender, number);
    return number;
  }

  public List<Integer> entries(String sender) {
    return List.copyOf(entries.getOrDefault(sender, List.of()));
  }

  public String place() {
    return ActiveObjects.node().name();
  }

  /** Fills another ledger from the node of this one. The last answer proves that all are served. */
  public int fill(Ledger other, String name, int count) {
    for (var i = 0; i < count; i++) {
      if (i % 4 == 0 || i == count - 1) {
        other.enterAndAnswer(name, i);
      } else {
        other.enter(name, i);
      }
    }
    return count;
  }

  public String enterAndTellPlace(String sender, int number) {
    enter(sender, number);
    return place();
  }

  /**
   * Fills another ledger, which is lost and made anew meanwhile, until it has answered a number of
   * calls from another place than its first; returns how many calls ended without an answer.
   */
  public int fillDespiteLoss(Ledger other, String name, String firstPlace, int count) {
    var unanswered = 0;
    var elsewhere = 0;
    for (var i = 0; elsewhere < count; i++) {
      try {
        if (!other.enterAndTellPlace(name, i).equals(firstPlace)) {
          elsewhere++;
        }
      } catch (RestartedException e) {
        unanswered++;
      }
    }
    return unanswered;
  }

  /** Visits the nodes one after the other, and notes where it is. */
  public void tour(List<NodeId> route) {
    places.add(place());
    if (!route.isEmpty()) {
      var self = ActiveObjects.self(Ledger.class);
      self.move(route.getFirst());
      self.stub().tour(route.subList(1, route.size()));
    }
  }

  public List<String> places() {
    return List.copyOf(places);
  }
}

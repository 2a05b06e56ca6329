package org.troupe.activeobjects.internal.collection;

import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Tests in a grid with a host of travellers on each node. */
abstract class TravellersGrid {

  static final int BIRTH = 0; // the node on which travellers are created

  InProcessGrid grid;
  List<TravellersHost> hosts;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(4);
    hosts =
        IntStream.range(0, 4)
            .mapToObj(i -> ActiveObjects.on(grid.get(i)).create(TravellersHost.class))
            .toList();
  }

  @AfterEach
  void end() {
    grid.close();
  }

  Ref<Traveller> traveller(String name) {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(BIRTH)).create(Traveller.class, name));
  }

  void move(Ref<Traveller> traveller, int... route) {
    for (var node : route) {
      valueOf(traveller.move(grid.get(node).id()), "the move to " + node);
    }
  }

  void move(Traveller traveller, int... route) {
    move(ActiveObjects.ref(traveller), route);
  }

  void kill(int node) {
    grid.kill(node);
    until(() -> !grid.get(node).isAlive(), "the death of node " + node);
  }
}

package org.troupe.activeobjects.internal.listing;

import static org.troupe.activeobjects.internal.listing.GuestGrid.BIRTH;

import org.troupe.activeobjects.internal.listing.GuestExplorer.WithoutRule;

/**
 * The references that nodes make of the name of the object, as its callees do, and which nothing
 * counts.
 */
final class CallerNames {

  private final GuestGrid grid;

  CallerNames(GuestGrid grid) {
    this.grid = grid;
  }

  void callOut(GuestBody caller, GuestNode callee) {
    caller.calls++;
    grid.post(caller.node.index, callee.index, () -> callee.toServe.add(caller.epoch));
  }

  /** Serves a call of the object, and perhaps makes a reference of its caller before it answers. */
  void serve(GuestNode at) {
    var itsEpoch = at.toServe.removeFirst();
    var caller = caller(itsEpoch);
    if (!grid.isWindingUp && grid.random.nextBoolean()) {
      referToCaller(at, itsEpoch, false);
    }
    at.served.add(itsEpoch);
    grid.post(at.index, caller.node.index, () -> caller.calls--);
  }

  private GuestBody caller(int itsEpoch) {
    return grid.nodes.stream()
        .flatMap(each -> each.bodies.stream())
        .filter(each -> each.epoch == itsEpoch)
        .findFirst()
        .orElseThrow();
  }

  void referToCaller(GuestNode at, int itsEpoch, boolean isLate) {
    var home = caller(itsEpoch).node;
    var guest = at.here();
    if (guest != null && guest.serves && !grid.isCollected) {
      guest.isReferred = true;
      return;
    }
    if (itsEpoch == 0) { // not a name: counted by its node of birth
      return;
    }
    if (grid.without != WithoutRule.CALLER_HELD) {
      var body = caller(itsEpoch);
      grid.post(
          at.index,
          home.index,
          () -> {
            body.isHeld |= !body.hasLeft || body.isAlive();
          });
    }
    refersByName(at, isLate);
  }

  void decode(GuestNode at) {
    var guest = at.here();
    if (guest != null && guest.serves && !grid.isCollected) {
      guest.isReferred = true;
    } else if (at.index == BIRTH) {
      referAtBirth(true);
    } else {
      refersByName(at, true);
    }
  }

  private void refersByName(GuestNode at, boolean isLate) {
    if (at.index == BIRTH) {
      pin();
      referAtBirth(isLate);
      return;
    }
    at.isUnconfirmed = isLate && (!at.hasName || at.isUnconfirmed);
    at.hasName = true;
    grid.post(
        at.index,
        BIRTH,
        () -> {
          pin();
          confirm(
              () -> {
                at.hasName &= !grid.isCollected; // the name held nothing before
                at.isUnconfirmed = false;
              });
        });
  }

  private void referAtBirth(boolean isLate) {
    var body = grid.again();
    if (!isLate) {
      body.isReferred = true;
      return;
    }
    body.calls++; // it is alive
    confirm(
        () -> {
          body.calls--;
          body.isReferred |= !grid.isCollected;
        });
  }

  private void pin() {
    if (grid.without != WithoutRule.NAMES_PIN) {
      grid.holdAgain(grid.departed.pin());
    }
  }

  /** Runs an action when the host has heard that it must hold the object again. */
  private void confirm(Runnable action) {
    if (grid.lastHeldAgain == 0) {
      action.run();
    } else {
      grid.post(BIRTH, grid.lastHeldAgain, action);
    }
  }
}

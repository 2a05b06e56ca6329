package org.troupe.activeobjects.internal.object;

import org.troupe.activeobjects.Store;

/** A store that fails once, when a test says so. */
interface FaultyStore extends Store {

  /** Lets a later passage fail, counted from 1; 0 lets none fail. */
  void failAfter(int passages);

  /** Returns whether the chosen passage has failed. */
  boolean hasFailed();
}

package org.troupe.activeobjects.internal.keeping;

import java.util.Locale;

/** How far an object that is made again has served the requests of its log. Thread-safe. */
final class ReplayProgress {

  private volatile int all; // 0 if there is no replay
  private volatile int served; // written by the thread that serves

  /** Begins a replay of some requests. */
  void begin(int requests) {
    served = 0;
    all = requests;
  }

  void served(int requests) {
    served = requests;
  }

  void end() {
    all = 0;
  }

  /** Describes the replay; empty if there is none. */
  String text() {
    var most = all;
    return most == 0 ? "" : String.format(Locale.ROOT, "replaying %,d of %,d", served, most);
  }
}

package org.troupe.dashboard;

/** Tells the kinds of the stream's lines apart, without parsing them. */
final class RecordLines {

  static final String JOB = "job";
  static final String LOG = "log";
  static final String ROUND = "round";
  static final String SETTINGS = "settings";
  static final String STACKS = "stacks";
  static final String BEGIN = "begin";
  static final String RECORDING = "recording";

  private RecordLines() {}

  /** Returns whether a line is a record of a kind, whose field always comes first. */
  static boolean isOf(String kind, String line) {
    return line.startsWith("{\"record\":\"" + kind + "\"");
  }

  static boolean isEndOfRound(String line) {
    return isOf(ROUND, line);
  }
}

package org.troupe.dashboard;

import java.io.IOException;
import org.troupe.deployment.runs.ActionResult;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunAction;
import org.troupe.pages.PageAnswer;

/**
 * A run as the page sees it: one that runs, or a recording. A method that returns a text returns
 * JSON, if nothing else is said. A method throws {@link IOException} if the program has ended, and
 * {@link RefusedRequestException} for a node that does not exist.
 */
sealed interface ShownRun permits LiveRun, RunRecording {

  RunEntry entry();

  /**
   * Writes the stream of {@code docs/observe.md}.
   *
   * @param rows the kinds of rows; empty for all
   * @param cursor the end of the last round that the page has; empty for all rows
   * @param isPoll whether to end after one round
   */
  void watch(
      int intervalSeconds, String rows, String cursor, boolean isPoll, PageAnswer.LineSink sink)
      throws IOException;

  String status() throws IOException;

  /** Returns the stacks as a text. */
  String stacks(String node) throws IOException;

  void logs(String node, boolean follow, PageAnswer.LineSink sink) throws IOException;

  /** Returns the records of jobs as an array. */
  String jobs() throws IOException;

  /**
   * Returns what an object does.
   *
   * @param node of its birth
   * @param number of it there
   */
  String object(String node, long number) throws IOException;

  /** Returns the futures of a node that have not arrived, or of all nodes. */
  String futures(String node) throws IOException;

  /** Returns what a node has sent to another one. */
  String pair(String node, String peer) throws IOException;

  /** Records calls and waits one by one for a time, and writes the stream of the trace. */
  void trace(int seconds, int most, PageAnswer.LineSink sink) throws IOException;

  /** Takes samples of all JVMs for a time, and writes the lines of {@link RunProfile}. */
  void profile(int seconds, PageAnswer.LineSink sink) throws IOException;

  String settings() throws IOException;

  /**
   * Does what the reader of the page asks for.
   *
   * @throws RefusedRequestException if that is not possible; the message says why
   */
  ActionResult act(RunAction action) throws IOException;
}

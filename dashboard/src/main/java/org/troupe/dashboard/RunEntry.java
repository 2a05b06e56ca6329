package org.troupe.dashboard;

/**
 * A run in the list of the page. Immutable.
 *
 * @param id the id of the run, by which the page asks for it
 * @param program the command of its program
 * @param startedMillis when it was deployed, in milliseconds since 1970; 0 if it is not known
 * @param isRunning whether its program answers now
 * @param file the file with its recording; empty for a running one
 */
record RunEntry(String id, String program, long startedMillis, boolean isRunning, String file) {}

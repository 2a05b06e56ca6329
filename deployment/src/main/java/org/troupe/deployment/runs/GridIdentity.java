package org.troupe.deployment.runs;

/**
 * Which deployment it is, as its program answers without asking a node. Immutable.
 *
 * @param id the id that {@code --of} takes
 * @param run the id of the run, which {@code ps} and {@code clean} use
 * @param pid the process id of the program
 * @param program the command of the program
 * @param startedMillis when it was deployed, in milliseconds since 1970
 */
public record GridIdentity(String id, String run, long pid, String program, long startedMillis) {}

/**
 * From a descriptor to running nodes: {@link org.troupe.deployment.Grid#deploy} starts the JVMs
 * that a descriptor asks for, watches them and ends them.
 *
 * <p>A kind of infrastructure is one {@code Launcher}, which knows what to check, the commands, and
 * how to start them. All that it returns is a {@link java.lang.Process}, wherever that runs: its
 * input carries the node's settings and then stays open for as long as the launcher lives, its
 * output is shown, its end is the end of the node.
 */
package org.troupe.deployment;

/**
 * The sides of comparisons: main classes of the JVMs that measure, of the servers they call, and
 * what they send.
 *
 * <p>{@link org.troupe.benchmarks.sides.ContenderSides} starts the sides that consist of two JVMs;
 * read it first. A client measures the loads of {@link org.troupe.benchmarks.sides.CalleeLoads}, a
 * server answers them, over a transport of Troupe, over bare RMI or over a bare link. Class names
 * of this package are command-line arguments of forked JVMs. This package must not know any
 * benchmark or report.
 */
package org.troupe.benchmarks.sides;

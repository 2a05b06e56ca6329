/**
 * The sides of comparisons: the main classes of measuring JVMs, of their servers, and the data that
 * they send.
 *
 * <p>{@link org.troupe.benchmarks.sides.ContenderSides} starts the sides that consist of two JVMs;
 * read it first. A client measures the loads of {@link org.troupe.benchmarks.sides.CalleeLoads}, a
 * server answers them, over a transport of Troupe, over bare RMI or over a bare link. Class names
 * of this package are command-line arguments of forked JVMs. This package must not know any
 * benchmark or report.
 */
@NullMarked
package org.troupe.benchmarks.sides;

import org.jspecify.annotations.NullMarked;

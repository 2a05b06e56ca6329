/**
 * Everything measured against its limit and its peers: {@code ./troupe bench}.
 *
 * <p>Each side of a comparison runs in a JVM of its own ({@link org.troupe.benchmarks.Contender}),
 * and the sides take turns, so that whatever else the machine does hits both.
 */
package org.troupe.benchmarks;

/**
 * Starts the main of a program at each rank, and learns how the ranks end. Read {@link
 * org.troupe.mpj.launch.RankRun} first.
 *
 * <p>A {@code Rank} is the active object of a rank; its {@code main} is one request. A {@code
 * RunMonitor} beside the launcher is told of ends, and a {@code StandardInput} there is read by
 * rank 0.
 */
@NullMarked
package org.troupe.mpj.launch;

import org.jspecify.annotations.NullMarked;

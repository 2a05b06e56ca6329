/**
 * The runs of this user as other processes see them: recorded runs, the leftovers of killed runs,
 * and the control socket of a running grid. Read {@link org.troupe.deployment.runs.RecordedRun} and
 * {@link org.troupe.deployment.runs.RunningGrid} first.
 *
 * <p>{@code ControlServer} answers from a {@code GridController}, which sees the grid through
 * {@code ControlledGrid}; {@code RunCleanup} asks all machines of a record. Exported to the tools;
 * the package must not use the grid itself.
 */
@NullMarked
package org.troupe.deployment.runs;

import org.jspecify.annotations.NullMarked;

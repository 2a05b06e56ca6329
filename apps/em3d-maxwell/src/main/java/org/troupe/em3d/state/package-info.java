/**
 * The state of a run: its fields, its position in time, and its readings.
 *
 * <p>{@link org.troupe.em3d.state.StateArchive}, an active object that outlives the segments of a
 * run, collects the {@link org.troupe.em3d.state.FieldBlock}s of all sub-domains ({@link
 * org.troupe.em3d.state.StateSource}) into a {@link org.troupe.em3d.state.RunCheckpoint}, and hands
 * them out for another division. Read {@code RunCheckpoint}, which defines the file format, first.
 * This package must not know the solver that advances the fields, nor the problem.
 */
@NullMarked
package org.troupe.em3d.state;

import org.jspecify.annotations.NullMarked;

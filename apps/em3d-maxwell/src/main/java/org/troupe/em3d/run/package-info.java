/**
 * A run on nodes that join and leave.
 *
 * <p>A {@link org.troupe.em3d.run.Simulation} consists of {@link org.troupe.em3d.run.RunSegment}s;
 * within a segment the division of the mesh and its nodes stay as they are. The active objects of a
 * segment are the {@link org.troupe.em3d.run.SubDomainSolver}s, which advance the fields and
 * exchange borders, and the {@link org.troupe.em3d.run.RunCollector}, which starts them together,
 * sums the energy and ends the segment. Read {@code SubDomainSolver} first. This package must not
 * know the command line, nor the files and pages that show a run.
 */
@NullMarked
package org.troupe.em3d.run;

import org.jspecify.annotations.NullMarked;

/**
 * Reports of a run, its results and its cost: as values, as a table, as JSON and as an HTML page.
 *
 * <p>{@link org.troupe.em3d.report.RunReport} describes a finished run, {@link
 * org.troupe.em3d.report.PartialReport} one that failed. This package writes no file and must not
 * know the run that it describes.
 */
@NullMarked
package org.troupe.em3d.report;

import org.jspecify.annotations.NullMarked;

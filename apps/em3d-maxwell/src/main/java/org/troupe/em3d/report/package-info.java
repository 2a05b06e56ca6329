/**
 * What a run did and what it cost, as values: for people, as JSON and as an HTML page.
 *
 * <p>{@link org.troupe.em3d.report.RunReport} describes a finished run, {@link
 * org.troupe.em3d.report.PartialReport} one that failed. This package writes no file and must not
 * know the run that it describes.
 */
package org.troupe.em3d.report;

/**
 * Fields as VTK files, slices and curves.
 *
 * <p>{@link org.troupe.em3d.views.RasterSampler} samples a {@link org.troupe.em3d.views.FieldSlice}
 * of a sub-domain, {@link org.troupe.em3d.views.SlicePicture} draws a frame, {@link
 * org.troupe.em3d.views.SeriesPlot} a curve, and {@link org.troupe.em3d.views.VtkPiece} writes the
 * fields of a sub-domain. This package must not know distribution, runs or problems.
 */
@NullMarked
package org.troupe.em3d.views;

import org.jspecify.annotations.NullMarked;

/**
 * The results of a run: its folder and its panel of the dashboard.
 *
 * <p>{@link org.troupe.em3d.output.ResultFolder} opens both, listens to the run and writes reports,
 * curves and readings; read it first. {@link org.troupe.em3d.output.FolderLock} keeps a folder to
 * one run. Only the command line uses this package.
 */
@NullMarked
package org.troupe.em3d.output;

import org.jspecify.annotations.NullMarked;

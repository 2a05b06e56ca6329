/**
 * Problems: mesh, media, boundaries, sources, monitors and expected results, from options or from a
 * problem file.
 *
 * <p>{@link org.troupe.em3d.problem.ProblemReader} reads a file by the form in {@link
 * org.troupe.em3d.problem.ProblemForm}; one reader per element family turns {@link
 * org.troupe.em3d.problem.ProblemElement}s into values and reports every error at once. The result
 * is a {@link org.troupe.em3d.problem.MaxwellProblem}; read it first. This package starts nothing
 * and must not know how problems are run or shown.
 */
@NullMarked
package org.troupe.em3d.problem;

import org.jspecify.annotations.NullMarked;

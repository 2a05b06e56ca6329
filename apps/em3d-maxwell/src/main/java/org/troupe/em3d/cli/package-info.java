/**
 * The command line of the solver.
 *
 * <p>{@link org.troupe.em3d.cli.Main} checks all options, then deploys nodes and runs a {@link
 * org.troupe.em3d.run.Simulation}. The mixins each hold a family of options: problem, nodes, states
 * and output. {@link org.troupe.em3d.cli.RunPlan} prints what a run would do. No other package may
 * use this one.
 */
@NullMarked
package org.troupe.em3d.cli;

import org.jspecify.annotations.NullMarked;

/**
 * The work-stealing engine of one JVM, on which tasks, Satin and the skeletons stand. Exported to
 * the models only.
 *
 * <p>A {@link org.troupe.tasks.engine.Frame} is an activation that forks; a {@link
 * org.troupe.tasks.engine.Spawn} is a job that a frame has forked, and itself the frame of the jobs
 * that it forks. Workers execute jobs: their owner takes the youngest of its {@code SplitDeque},
 * other workers the oldest. {@link org.troupe.tasks.engine.Engine} is a running set of workers; it
 * names its parts. Read {@code Frame} first.
 *
 * <p>The room knows nothing of nodes: a {@code JobSource} looks for jobs elsewhere when the JVM has
 * none.
 */
@NullMarked
package org.troupe.tasks.engine;

import org.jspecify.annotations.NullMarked;

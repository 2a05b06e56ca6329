/**
 * Common forms of parallel programs: a farm of workers, pipelines, parts in parallel, recursive
 * division.
 *
 * <p>{@link org.troupe.skeletons.Skeletons} makes skeletons of functions and of other skeletons. A
 * {@link org.troupe.skeletons.Skeleton} is a value. Its {@link org.troupe.skeletons.Flow} sends
 * inputs through it. Read {@code Skeletons} first.
 *
 * <p>The package stands on {@code org.troupe.tasks}: an input is a task, which any worker may take,
 * and parallel parts of an input are tasks that it forks.
 */
@NullMarked
package org.troupe.skeletons;

import org.jspecify.annotations.NullMarked;

/**
 * The benchmarks of the programming models: tasks on several nodes, farms, and their peers.
 *
 * <p>{@link org.troupe.benchmarks.models.ModelsBenchmark} lists them; read it first. Each benchmark
 * stands beside the main programs of its measuring JVMs ({@code TreeClient}, {@code EmptyTasks},
 * {@code LostNodeRuns}), which run trees of {@code LeafTree} or empty tasks. Class names of this
 * package are command-line arguments of forked JVMs. This package must not know the benchmarks of
 * applications.
 */
@NullMarked
package org.troupe.benchmarks.models;

import org.jspecify.annotations.NullMarked;

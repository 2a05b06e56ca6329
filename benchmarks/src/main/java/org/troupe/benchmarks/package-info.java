/** Benchmarks. */
package org.troupe.benchmarks;

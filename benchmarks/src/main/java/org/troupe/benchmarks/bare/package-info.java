/**
 * Links between two processes with as little overhead as Java allows: the limits that everything
 * else is measured against. They have no authentication and no framing, and serve one user; only
 * benchmarks use them.
 */
@NullMarked
package org.troupe.benchmarks.bare;

import org.jspecify.annotations.NullMarked;

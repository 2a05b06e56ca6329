/**
 * Helpers that groups and {@code groups.spmd} share and that are not for users. Stands below both
 * and knows neither.
 */
@NullMarked
package org.troupe.groups.internal;

import org.jspecify.annotations.NullMarked;

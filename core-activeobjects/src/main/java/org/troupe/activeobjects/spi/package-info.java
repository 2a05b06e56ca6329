/**
 * The interface of observers: libraries that trace and measure what a JVM does for active objects.
 *
 * <p>{@link Observer} is implemented by modules beside this one, and found by the service loader.
 * It is told of calls, services, waits and failures, and gives each call a context that travels
 * with it.
 */
@NullMarked
package org.troupe.activeobjects.spi;

import org.jspecify.annotations.NullMarked;

/**
 * Copies of values: arguments, results and failures, encoded when they leave a caller or a callee
 * and decoded where they are used.
 *
 * <p>Begin with {@link Marshaller}. What stubs and futures become on their way is decided above
 * this room, which knows neither bodies nor peers.
 */
package org.troupe.activeobjects.internal.marshal;

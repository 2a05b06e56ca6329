package org.troupe.activeobjects.internal.marshal;

import org.troupe.futures.FutureResult;

/**
 * Travels in place of a future.
 *
 * @param result what the future waits for, in this JVM
 * @param type the class that the transparent future stands for, or {@code null} for a completable
 *     future
 */
public record FutureToken(FutureResult<?> result, String type) {}

package org.troupe.activeobjects.internal.marshal;

import org.jspecify.annotations.Nullable;
import org.troupe.futures.FutureResult;

/**
 * The encoded form of a future.
 *
 * @param result the result that the future waits for, in this JVM
 * @param type the class that the transparent future stands for, or {@code null} for a completable
 *     future
 */
public record FutureToken(FutureResult<?> result, @Nullable String type) {}

package org.troupe.activeobjects.internal.moving;

import java.util.concurrent.CompletableFuture;

/**
 * The preparations of a node for an object whose image has arrived.
 *
 * @param begin begins the service of the object; may hold the image
 * @param forget undoes what was prepared if the object does not come
 * @param settled completes when the object has come and {@code arrived()} has returned
 */
public record Arrival(Runnable begin, Runnable forget, CompletableFuture<Void> settled) {}

package org.troupe.activeobjects.internal.moving;

import java.util.concurrent.CompletableFuture;

/**
 * What a node has prepared for an object whose image is here.
 *
 * @param begin begins the service of the object; may hold the image
 * @param forget undoes what was prepared if the object does not come
 * @param settled completes when the object has come and {@code arrived()} has returned
 */
public record Arrival(Runnable begin, Runnable forget, CompletableFuture<Void> settled) {}

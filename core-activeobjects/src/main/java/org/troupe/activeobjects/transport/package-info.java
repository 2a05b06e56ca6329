/**
 * Carries frames between JVMs: what transports implement.
 *
 * <p>A transport opens an endpoint with a receiver, and connects to addresses of other endpoints.
 * The runtime hands it frames, whose contents it delivers as they are. Begin with {@link
 * Transport}. This package knows nothing of active objects; the rest of the module is above it.
 */
package org.troupe.activeobjects.transport;

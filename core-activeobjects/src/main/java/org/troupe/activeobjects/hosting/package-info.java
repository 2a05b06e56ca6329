/**
 * A JVM's part in a grid, for what launches nodes: the deployment.
 *
 * <p>A launcher opens a {@link GridMember}, coordinates or joins a grid through it, and hears which
 * nodes join and leave. The runtime implements it; this package knows none of its rooms.
 */
package org.troupe.activeobjects.hosting;

/**
 * Active objects: instances of ordinary classes with a request queue each, callable from every node
 * of a grid.
 *
 * <p>{@link org.troupe.activeobjects.ActiveObjects} creates them; read it first. A caller holds a
 * stub, which is called like the object, or a {@link org.troupe.activeobjects.Ref} for explicitly
 * asynchronous calls. {@link org.troupe.activeobjects.Node} and {@link
 * org.troupe.activeobjects.Nodes} say where objects can live. Failures that distribution adds are
 * {@link org.troupe.activeobjects.CallException}s.
 *
 * <p>These types know nothing of the runtime below: a {@code RuntimeProvider}, found by the service
 * loader, connects them.
 */
@NullMarked
package org.troupe.activeobjects;

import org.jspecify.annotations.NullMarked;

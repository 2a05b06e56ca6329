/**
 * The mobility of the objects of a node within one grid: moves to other nodes, restarts after the
 * loss of a node, evacuations, and links to objects that move.
 *
 * <p>Read {@link org.troupe.activeobjects.internal.mobility.ObjectMobility} first, which assembles
 * the parts. Each of them drives the steps of one protocol between this node, another one and the
 * coordinator; the package {@code moving} keeps what they change. {@code MovingGrid} is the grid as
 * that package knows it.
 *
 * <p>This package does not know how nodes join or how their loss is noticed.
 */
@NullMarked
package org.troupe.activeobjects.internal.mobility;

import org.jspecify.annotations.NullMarked;

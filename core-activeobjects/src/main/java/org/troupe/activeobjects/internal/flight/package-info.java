/**
 * The events of a node in recordings of the JDK Flight Recorder, and the recordings that other
 * processes ask for.
 *
 * <p>Read {@link FlightSwitch} first: code on the path of a call asks it whether a recording runs,
 * and only then calls {@link FlightEvents}, which makes the events. {@link FlightRecordings} starts
 * recordings and passes them on. The module {@code jdk.jfr} need not be present: only the classes
 * behind these three refer to it, and they are loaded only where it is.
 *
 * <p>This package knows names and numbers only, and none of the node's own classes.
 */
@NullMarked
package org.troupe.activeobjects.internal.flight;

import org.jspecify.annotations.NullMarked;

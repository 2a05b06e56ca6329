package org.troupe.activeobjects.hosting;

/**
 * Marks the type of an active object that is part of Troupe itself. The options that a program sets
 * for its own calls, {@code troupe.callTimeout} and {@code troupe.strict}, do not apply to calls on
 * it.
 */
public interface MiddlewareObject {}

package org.troupe.activeobjects.internal.replay;

/** A call that an object has taken, and serves in its turn. */
public record TakenRequest<C>(CallOrigin origin, long number, C call) {}

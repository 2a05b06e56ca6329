package ibis.satin;

import java.io.Serializable;

/**
 * Marks an interface whose methods may be spawned: a call of such a method, on an object of a class
 * that implements the interface, is a spawn once the calling class is woven.
 */
public interface Spawnable extends Serializable {}

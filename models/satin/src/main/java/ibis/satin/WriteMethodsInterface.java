package ibis.satin;

/**
 * Marks an interface whose methods change a shared object. The methods of a {@link SharedObject}
 * that such an interface declares are applied to every replica; all other methods read the local
 * one.
 */
public interface WriteMethodsInterface {}

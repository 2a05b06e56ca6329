package ibis.ipl;

import java.io.Serializable;

/**
 * Proof of an instance's rights, checked by a server's policy when the instance joins a pool.
 *
 * <p>Credentials are sent only over a connection whose two sides have authenticated each other by a
 * shared secret. The server deserializes them only if a policy is installed that names their class.
 */
public interface Credentials extends Serializable {}

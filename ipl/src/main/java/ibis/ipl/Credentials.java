package ibis.ipl;

import java.io.Serializable;

/**
 * What an instance shows to the policy of a server when it joins a pool.
 *
 * <p>It travels only over a connection whose two sides have proved to each other that they share a
 * secret, and is read there only if a policy is installed that names its class.
 */
public interface Credentials extends Serializable {}

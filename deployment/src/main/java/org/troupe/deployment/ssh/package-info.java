/**
 * Machines that are reached over ssh, with Apache MINA SSHD: the user's configuration, keys and
 * known hosts, logins through gateways, commands, files and forwarded ports. Read {@link
 * org.troupe.deployment.ssh.SshMachine} first; {@code SshConnector} logs in. {@code Forwarders} run
 * on front ends, for nodes that cannot connect to this program. It must not know launchers.
 */
@NullMarked
package org.troupe.deployment.ssh;

import org.jspecify.annotations.NullMarked;

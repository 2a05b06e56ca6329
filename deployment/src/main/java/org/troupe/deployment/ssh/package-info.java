/**
 * Machines that are reached over ssh: commands, files, forwarded ports, logins through gateways.
 * Read {@link org.troupe.deployment.ssh.SshMachine} first.
 *
 * <p>There are two kinds. {@code OpenSshMachine} uses the ssh program of the system, with all that
 * it supports: {@code OpenSshConnection} is a login that commands share, {@code OpenSshSettings}
 * the configuration as ssh resolves it, {@code OpenSshFailure} explains what it reports. {@code
 * MinaMachine} uses Apache MINA SSHD, where no such program is, and on the nodes of a launch tree;
 * {@code SshConnector} logs in, with the user's configuration, keys and known hosts. {@code
 * SshMachines} chooses.
 *
 * <p>{@code Forwarders} run on front ends, for nodes that cannot connect to this program. This
 * package must not know launchers.
 */
@NullMarked
package org.troupe.deployment.ssh;

import org.jspecify.annotations.NullMarked;

package org.troupe.cli.launch;

import picocli.CommandLine.Command;

/** {@code ibis-server}: the server of pools for programs of the Ibis Portability Layer. */
@Command(
    name = "ibis-server",
    description = {
      "Runs the server of the Ibis Portability Layer.",
      "%n'troupe ibis-server --help' lists its options."
    },
    customSynopsis = "troupe ibis-server [--port NUMBER] [--secret-file FILE] [--events] ...")
public final class IbisServerCommand extends ProgramCommand {

  IbisServerCommand() {
    super("ibis.ipl.server.Server", "Ibis server");
  }
}

package org.troupe.cli.command;

import java.util.List;

/** A verb that serves a page, which may be opened on this machine while it is served elsewhere. */
public interface PageCommand {

  /** Returns the arguments without the option that opens a browser, which is to be opened here. */
  List<String> withoutOpening(List<String> arguments);

  /** Prints the address of the page, and opens it if that was asked for. */
  void show(String address);
}

package org.troupe.cli.terminal;

import java.io.PrintWriter;
import org.troupe.deployment.files.TerminalText;

/**
 * The output of a verb on its way to the user. Names, reasons and lines of output come from
 * programs, schedulers and hosts, so of their control characters only changes of colours pass.
 */
public final class TerminalWriter extends PrintWriter {

  public TerminalWriter(PrintWriter out) {
    super(out, true);
  }

  @Override
  public void write(int character) {
    write(String.valueOf((char) character));
  }

  @Override
  public void write(char[] buffer, int offset, int length) {
    write(new String(buffer, offset, length));
  }

  @Override
  public void write(String text, int offset, int length) {
    var shown = TerminalText.coloured(text.substring(offset, offset + length));
    super.write(shown, 0, shown.length());
  }
}

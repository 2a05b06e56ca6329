package org.troupe.cli.command;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import org.troupe.deployment.site.RemoteTroupe;

/** A verb that writes a file, which is to be on this machine also if the verb runs elsewhere. */
public interface FileCommand {

  /** The name that stands for the standard output. */
  String STANDARD_OUTPUT = "-";

  /**
   * Returns the file, after a check that it can be in its folder.
   *
   * @throws picocli.CommandLine.ParameterException if it cannot, or an option is wrong
   */
  Path output();

  /** Returns the attributes that the file gets. */
  FileAttribute<?>[] attributes();

  /**
   * The hidden option that prints the file for a caller on another machine, and otherwise does what
   * {@code -o -} does. Versions that take {@code -} for the name of a file refuse it.
   */
  String PRINT = "--print";

  /** Returns the options that let the same content be printed, instead of those for the file. */
  List<String> printing();

  /**
   * The exit code of the verb if it has printed the file, and the file lacks a part. Other codes
   * but 0 say that the file is not whole.
   */
  int PARTIAL = RemoteTroupe.PARTIAL_FILE;

  /** Returns whether a file stands for the standard output. */
  static boolean isStandardOutput(Path file) {
    return file.toString().equals(STANDARD_OUTPUT);
  }
}

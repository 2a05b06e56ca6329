package org.troupe.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}, sufficient for an error report. */
public final class VersionText implements IVersionProvider {

  /** Returns the version of Troupe, or of a library that it names to new projects. */
  public static String of(String artifact) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = VersionText.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    }
    return properties.getProperty(artifact);
  }

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {
      "troupe " + of("troupe"),
      "Java " + Runtime.version() + " in " + System.getProperty("java.home")
    };
  }
}

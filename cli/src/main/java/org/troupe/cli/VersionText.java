package org.troupe.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}, sufficient for an error report. */
final class VersionText implements IVersionProvider {

  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = VersionText.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    }
    return new String[] {
      "troupe " + properties.getProperty("version"),
      "Java " + Runtime.version() + " in " + System.getProperty("java.home")
    };
  }
}

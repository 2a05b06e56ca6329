package ibis.ipl;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** The default properties of all instances; read once, at first use. */
final class DefaultProperties {

  private static final System.Logger LOG =
      System.getLogger(DefaultProperties.class.getPackageName());

  private DefaultProperties() {}

  private static final class Holder {
    static final Properties READ = read();
  }

  static Properties get() {
    var copy = new Properties();
    copy.putAll(Holder.READ);
    return copy;
  }

  /** Returns the built-in properties, overlaid by the others in increasing precedence. */
  private static Properties read() {
    Properties all = IbisProperties.getHardcodedProperties();
    addResource(all);
    Path here = Path.of(IbisProperties.PROPERTIES_FILENAME);
    if (Files.exists(here)) {
      addFile(all, here);
    }
    String named =
        System.getProperty(
            IbisProperties.PROPERTIES_FILE, all.getProperty(IbisProperties.PROPERTIES_FILE));
    if (named != null) {
      addFile(all, Path.of(named));
    }
    Properties ofTheJvm = System.getProperties();
    for (String name : ofTheJvm.stringPropertyNames()) {
      all.setProperty(name, ofTheJvm.getProperty(name));
    }
    return all;
  }

  private static void addResource(Properties all) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context != null ? context : ClassLoader.getSystemClassLoader();
    try (InputStream in = loader.getResourceAsStream(IbisProperties.PROPERTIES_FILENAME)) {
      if (in != null) {
        all.load(in);
      }
    } catch (IOException | IllegalArgumentException e) {
      unreadable(IbisProperties.PROPERTIES_FILENAME + "' on the class path", e);
    }
  }

  private static void addFile(Properties all, Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      all.load(in);
    } catch (IOException | IllegalArgumentException e) {
      unreadable(file + "'", e);
    }
  }

  /** Logs an unreadable file; an application that needs a property from it reports that itself. */
  private static void unreadable(String file, Exception cause) {
    LOG.log(Level.WARNING, "cannot read properties from '" + file + "; going on without", cause);
  }
}

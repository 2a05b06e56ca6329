package ibis.ipl.server;

import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisProperties;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Secret;

/** The command line of the server. */
final class ServerCommand {

  private static final String HELP =
      """
      Usage: troupe ibis-server [OPTION...]
      Runs a server that knows the pools of programs for the Ibis Portability Layer. Prints its
      address; ends when its standard input does.

      Options:
        --port NUMBER        port to listen on (8888); 0 to be given a free one
        --address ADDRESS    address of this machine to listen on (loopback without a secret)
        --secret-file FILE   secret to share with the members, who set ibis.secret.file
        --new-secret FILE    writes a new secret to FILE, which must not exist, and ends
        --events             prints the events of the pools on standard error
        --errors             prints the stack trace of a failure
        --stats              prints a line for each pool that ends
        --remote             obeys commands on standard input: pools, members POOL, stop
        --detached           runs on when standard input ends; to be ended by a signal
        --no-hub, --hub-addresses LIST, --hub-address-file FILE
                             known to old scripts; there are no hubs
        NAME=VALUE           sets a property

      Without a secret, the server and its members stay on loopback and share the secret of
      their user in ~/.troupe/ibis.secret, which the server makes if there is none.

      Exit codes: 0 it was ended, 1 it failed, 2 the command line or a property is wrong.
      """;

  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private final Properties properties = new Properties();
  private boolean remote;
  private boolean detached;
  private boolean errors;
  private boolean help;
  private @Nullable Path newSecret;

  private ServerCommand() {}

  /** Runs until the input ends; returns the exit code. */
  static int run(String[] arguments, InputStream in, PrintStream out, PrintStream err) {
    var command = new ServerCommand();
    try {
      command.read(arguments);
      return command.run(in, out);
    } catch (IllegalArgumentException | IbisConfigurationException e) {
      err.println("ibis-server: " + e.getMessage());
      return USAGE;
    } catch (IOException e) {
      err.println("ibis-server: " + e.getMessage());
      if (command.errors) {
        e.printStackTrace(err);
      }
      return FAILED;
    }
  }

  private void read(String[] arguments) {
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      switch (argument) {
        case "--help", "-h" -> help = true;
        case "--events" -> properties.setProperty(ServerProperties.PRINT_EVENTS, "true");
        case "--stats" -> properties.setProperty(ServerProperties.PRINT_STATS, "true");
        case "--errors" -> errors = true;
        case "--remote" -> remote = true;
        case "--detached" -> detached = true;
        case "--no-hub" -> properties.setProperty(ServerProperties.START_HUB, "false");
        case "--hub-only" -> properties.setProperty(ServerProperties.HUB_ONLY, "true");
        case "--port" -> properties.setProperty(ServerProperties.PORT, value(arguments, ++i));
        case "--address" -> properties.setProperty(Server.LISTEN_ADDRESS, value(arguments, ++i));
        case "--secret-file" ->
            properties.setProperty(IbisProperties.SECRET_FILE, value(arguments, ++i));
        case "--new-secret" -> newSecret = Path.of(value(arguments, ++i));
        case "--hub-addresses" ->
            properties.setProperty(ServerProperties.HUB_ADDRESSES, value(arguments, ++i));
        case "--hub-address-file" ->
            properties.setProperty(ServerProperties.HUB_ADDRESS_FILE, value(arguments, ++i));
        default -> readProperty(argument);
      }
    }
  }

  private static String value(String[] arguments, int index) {
    if (index == arguments.length) {
      throw new IllegalArgumentException(
          "option '" + arguments[index - 1] + "' needs a value; see --help");
    }
    return arguments[index];
  }

  private void readProperty(String argument) {
    String assignment = argument.startsWith("-D") ? argument.substring(2) : argument;
    int equals = assignment.indexOf('=');
    if (equals < 1 || assignment.startsWith("-")) {
      throw new IllegalArgumentException("there is no option '" + argument + "'; see --help");
    }
    properties.setProperty(assignment.substring(0, equals), assignment.substring(equals + 1));
  }

  private int run(InputStream in, PrintStream out) throws IOException {
    if (help) {
      out.print(HELP);
      return OK;
    }
    if (newSecret != null) {
      writeNewSecret(newSecret);
      return OK;
    }
    Properties all = IbisProperties.getDefaultProperties();
    all.putAll(properties);
    var server = new Server(all);
    try {
      out.println(server.getAddress());
      if (remote) {
        out.println(Server.ADDRESS_LINE_PREFIX + server.getAddress() + Server.ADDRESS_LINE_POSTFIX);
      }
      out.flush();
      serve(server, in, out);
    } finally {
      server.end(-1);
    }
    return OK;
  }

  private void writeNewSecret(Path newSecret) throws IOException {
    try {
      Secret.random().write(newSecret);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(
          "there is a file '"
              + newSecret
              + "' already, which is never written over; remove it, or name another",
          e);
    } catch (NoSuchFileException e) {
      throw new IOException(
          "'" + newSecret + "' cannot be made: there is no such folder; make it, or name another",
          e);
    } catch (AccessDeniedException e) {
      throw new IOException(
          "'" + newSecret + "' cannot be made: you may not write there; name another file", e);
    }
  }

  private void serve(Server server, InputStream in, PrintStream out) throws IOException {
    var lines =
        new BufferedReader(
            new InputStreamReader(in, System.getProperty("stdin.encoding", "UTF-8")));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (remote && !obey(line.strip(), server, out)) {
        return;
      }
    }
    if (detached) {
      try {
        new CountDownLatch(1).await(); // until a signal ends the JVM
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns whether to go on. */
  private static boolean obey(String command, Server server, PrintStream out) {
    String[] words = command.split("\\s+", 2);
    switch (words[0]) {
      case "" -> {}
      case "address" -> out.println(server.getAddress());
      case "pools" -> out.println(String.join(" ", server.getPools()));
      case "members" ->
          out.println(String.join("; ", server.getMembers(words.length > 1 ? words[1] : "")));
      case "stop" -> {
        return false;
      }
      default ->
          out.println(
              "there is no command '"
                  + words[0]
                  + "'; there are address, pools, members POOL, stop");
    }
    out.flush();
    return true;
  }
}

package org.troupe.descriptors.text;

import java.net.InetAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;

/** The type of an attribute or text after the replacement of variables, as in the schema. */
public enum ValueType {
  NAME(
      "[A-Za-z_][A-Za-z0-9_.-]*",
      "a name",
      "use letters, digits, '_', '-' and '.', and start with a letter"),
  NAMES(
      "[A-Za-z_][A-Za-z0-9_.-]*(\\s++[A-Za-z_][A-Za-z0-9_.-]*+)*+",
      "a list of names",
      "write one or several with spaces between them, such as 'gateway frontEnd'"),
  VARIABLE_NAME(
      "[A-Za-z_][A-Za-z0-9_-]*",
      "a name of a variable",
      "use letters, digits, '_' and '-', and start with a letter"),
  ENVIRONMENT_NAME(
      "[A-Za-z_][A-Za-z0-9_]*",
      "a name of an environment variable",
      "use letters, digits and '_', and start with a letter"),
  PROPERTY_NAME(
      "[^=\\s\\x00]+", "a name of a system property", "write it without spaces and without '='"),
  COUNT("[1-9][0-9]{0,3}|10000", "a whole number from 1 to 10000", "write one, such as '4'"),
  PORT(
      "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]",
      "a port, from 1 to 65535", "write one, such as '22'"),
  FLAG("true|false", "'true' or 'false'", "write one of them"),
  HOST_KEYS("strict|acceptNew", "'strict' or 'acceptNew'", "write one of them"),
  HOST(
      "[A-Za-z0-9_:][A-Za-z0-9_.:-]*",
      "a host",
      "write its name or address, without user and port, which have attributes of their own"),
  HOSTS(
      HostList.ENTRY + "(\\s++" + HostList.ENTRY + ")*+",
      "a list of hosts",
      "write names with spaces between them, such as 'alpha-1 node[01-16] rack[1-2]-[1,3,5-7]'"),
  NETWORKS(
      "[0-9A-Fa-f:.]+/[0-9]{1,3}(\\s++[0-9A-Fa-f:.]++/[0-9]{1,3})*+",
      "a list of networks",
      "write address/bits with spaces between them, such as '10.1.0.0/16 192.168.7.0/24'"),
  MEMORY(
      "[1-9][0-9]{0,5}[kmgtKMGT]",
      "an amount of memory with its unit",
      "write one, such as '512m' or '2g'"),
  TIME(
      "[0-9]{1,4}:[0-5][0-9]:[0-5][0-9]|[1-9][0-9]{0,5}[smhd]",
      "a time",
      "write one as hours:minutes:seconds or with its unit, such as '01:30:00', '90m' or '2h'"),
  WORD(
      "[^\\s\\x00-][^\\s\\x00]*",
      "a word",
      "write it without spaces, and do not start it with '-'"),
  PATH(
      "~(/[^\\x00]*)?|[^~\\x00][^\\x00]*",
      "a path",
      "name a file or folder, where '~/' is your home"),
  REMOTE_PATH(
      "~(/[^\\x00]*)?|[^~\\x00][^\\x00]*",
      "a path",
      "name a folder on those machines, where '~/' is your home there"),
  ABSOLUTE_PATH("/[^\\x00:]*", "an absolute path", "write it from '/', without ':'"),
  LABELS(
      "[A-Za-z0-9._/-]+=[A-Za-z0-9._-]*(\\s++[A-Za-z0-9._/-]++=[A-Za-z0-9._-]*+)*+",
      "a list of labels",
      "write name=value with spaces between them, such as 'disktype=ssd zone=a'"),
  FILE(
      "~(/[^$\\x00]*)?|[^~$\\x00][^$\\x00]*",
      "a path without variables",
      "name the file itself, as files are included before variables have values"),
  OPTION(
      "[-@][^\\x00]+",
      "an option of 'java'",
      "start it with '-', and name jars and folders as <classPath>"),
  ARGUMENT("[^\\x00]+", "an argument", "write one for the batch system, such as '--exclusive'"),
  COMMANDS(
      "[^\\x00]+",
      "a command of the shell",
      "write one or several lines, such as 'module load gdal'"),
  OPTION_NAMES(
      "-{0,2}[A-Za-z][A-Za-z0-9_-]*(\\s++-{0,2}[A-Za-z][A-Za-z0-9_-]*+)*+",
      "a list of names of options",
      "write one or several with spaces between them, such as '--mem --no-requeue'"),
  NODES_OPTION(
      "[^%\\x00]*%d[^%\\x00]*",
      "an option for a number of machines", "write %d for the number, such as '-l nodes=%d'"),
  TEXT("[^\\x00]*", "text without the character NUL", "remove that character");

  private final Pattern pattern;
  private final String meaning;
  private final String remedy;

  ValueType(String pattern, String meaning, String remedy) {
    this.pattern = Pattern.compile(pattern, Pattern.DOTALL);
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** Removes white space that only serves the layout of the file. */
  public String trim(String text) {
    return this == TEXT ? text : text.strip();
  }

  public boolean accepts(String text) {
    return pattern.matcher(text).matches() && isSound(text);
  }

  /** Describes valid values. */
  public String meaning() {
    return meaning;
  }

  public String remedy() {
    return remedy;
  }

  /** Checks conditions that no pattern can express. */
  private boolean isSound(String text) {
    return switch (this) {
      case PATH, FILE -> isPath(text);
      case NETWORKS -> Arrays.stream(text.split("\\s+")).allMatch(ValueType::isNetwork);
      case TIME -> QuantityParser.time(text).isPositive();
      default -> true;
    };
  }

  /** Only Path.of knows the paths that this machine allows. */
  private static boolean isPath(String text) {
    try {
      return !Path.of(text).toString().isEmpty();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Accepts addresses only, so that no name is looked up. */
  private static boolean isNetwork(String text) {
    int slash = text.indexOf('/');
    try {
      byte[] address = InetAddress.ofLiteral(text.substring(0, slash)).getAddress();
      boolean isShort = address.length == 4 && text.chars().filter(c -> c == '.').count() < 3;
      return Integer.parseInt(text.substring(slash + 1)) <= 8 * address.length && !isShort;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}

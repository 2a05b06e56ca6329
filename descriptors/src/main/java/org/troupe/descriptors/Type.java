package org.troupe.descriptors;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** What an attribute or text may hold once its variables are replaced; as in the schema. */
enum Type {
  NAME(
      "[A-Za-z_][A-Za-z0-9_.-]*",
      "a name",
      "use letters, digits, '_', '-' and '.', and start with a letter"),
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
  JVMS("[1-9][0-9]{0,3}|10000", "a whole number from 1 to 10000", "write one, such as '4'"),
  FLAG("true|false", "'true' or 'false'", "write one of them"),
  PATH("[^\\x00]+", "a path", "name a file or folder"),
  OPTION(
      "[-@][^\\x00]+",
      "an option of 'java'",
      "start it with '-', and name jars and folders as <classPath>"),
  TEXT("[^\\x00]*", "text without the character NUL", "remove that character");

  private final Pattern pattern;
  private final String meaning;
  private final String remedy;

  Type(String pattern, String meaning, String remedy) {
    this.pattern = Pattern.compile(pattern, Pattern.DOTALL);
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** Removes what only served to lay out the file. */
  String trim(String text) {
    return this == TEXT ? text : text.strip();
  }

  boolean accepts(String text) {
    return pattern.matcher(text).matches() && (this != PATH || isPath(text));
  }

  /** What it should have been. */
  String meaning() {
    return meaning;
  }

  String remedy() {
    return remedy;
  }

  /** Path.of is the only one to know what this machine allows. */
  private static boolean isPath(String text) {
    try {
      return !Path.of(text).toString().isEmpty();
    } catch (InvalidPathException e) {
      return false;
    }
  }
}

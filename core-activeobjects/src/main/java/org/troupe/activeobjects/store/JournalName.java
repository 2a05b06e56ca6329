package org.troupe.activeobjects.store;

import java.util.regex.Pattern;

/** The names of journals that every store accepts. */
final class JournalName {

  static final Pattern VALID = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}");

  private JournalName() {}
}

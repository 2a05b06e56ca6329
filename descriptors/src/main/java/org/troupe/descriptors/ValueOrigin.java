package org.troupe.descriptors;

/** Where the value of a variable came from; {@code toString} says it as a user would. */
public sealed interface ValueOrigin {

  /** Given by the caller, usually with {@code -D name=value}. */
  record CommandLine() implements ValueOrigin {
    @Override
    public String toString() {
      return "command line";
    }
  }

  /**
   * Taken from the environment of this process.
   *
   * @param name of the environment variable
   */
  record Environment(String name) implements ValueOrigin {
    @Override
    public String toString() {
      return "environment variable " + name;
    }
  }

  /**
   * The default of the descriptor, as no other value was given.
   *
   * @param place of the default
   */
  record Default(SourcePosition place) implements ValueOrigin {
    @Override
    public String toString() {
      return "default in " + place.file() + ":" + place.line();
    }
  }
}

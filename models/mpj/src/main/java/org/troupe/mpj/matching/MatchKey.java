package org.troupe.mpj.matching;

/** The criteria of a receive, or the properties of a message. A receive may have wildcards. */
record MatchKey(int context, int source, int tag) {

  private static final int FACTOR = 0x9E3779B9;

  /** Returns this key with wildcards for the source, the tag, both, or neither. */
  MatchKey general(int which) {
    return switch (which) {
      case 0 -> this;
      case 1 -> new MatchKey(context, MessageEngine.ANY, tag);
      case 2 -> new MatchKey(context, source, MessageEngine.ANY);
      default -> new MatchKey(context, MessageEngine.ANY, MessageEngine.ANY);
    };
  }

  /** Returns the number of wildcards' form, see {@link #general}. */
  int form() {
    return (source == MessageEngine.ANY ? 1 : 0) + (tag == MessageEngine.ANY ? 2 : 0);
  }

  @Override
  public int hashCode() {
    var hash = (context * FACTOR + source) * FACTOR + tag;
    hash *= FACTOR;
    return hash ^ hash >>> 16;
  }
}

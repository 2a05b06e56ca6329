package org.troupe.pages;

/**
 * A request that cannot be answered as it was meant. The browser gets the status and an object of
 * JSON with the fields {@code error} and {@code remedy}.
 */
public final class PageException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** The status of a request with a mistake. */
  public static final int WRONG = 400;

  /** The status of a request that the token does not allow. */
  public static final int FORBIDDEN = 403;

  /** The status of a request about something that does not exist. */
  public static final int MISSING = 404;

  /** The status of a request that does not fit the state of its object, such as an ended run. */
  public static final int CONFLICT = 409;

  /** The status of a request whose answer would have come from a process that is gone. */
  public static final int GONE = 410;

  /** The status of a request whose answer should have come from another process. */
  public static final int UNREACHABLE = 502;

  private final int status;
  private final String remedy;

  /**
   * Creates an exception.
   *
   * @param error what is wrong, and why
   * @param remedy what to do about it
   */
  public PageException(int status, String error, String remedy) {
    super(error);
    this.status = status;
    this.remedy = remedy;
  }

  /** Returns the status of the answer. */
  public int status() {
    return status;
  }

  /** Returns what to do. */
  public String remedy() {
    return remedy;
  }

  /** Returns the answer. */
  PageAnswer.Body answer() {
    return PageAnswer.json(
        status,
        "{\"error\":%s,\"remedy\":%s}"
            .formatted(quoted(String.valueOf(getMessage())), quoted(remedy)));
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}

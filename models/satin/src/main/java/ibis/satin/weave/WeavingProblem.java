package ibis.satin.weave;

/**
 * A reason why a class cannot be woven.
 *
 * @param where class, method, file and line, as {@code Class.method(File:line)}
 * @param what what the code does
 * @param remedy what to change
 */
public record WeavingProblem(String where, String what, String remedy) {

  @Override
  public String toString() {
    return where + ": " + what + "; " + remedy;
  }
}

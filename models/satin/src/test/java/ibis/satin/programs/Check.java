package ibis.satin.programs;

/** Ends a program that has computed something else than its sequential check. */
final class Check {
  private Check() {}

  static void that(String what, boolean right) {
    System.out.println(what + (right ? " (checked)" : " (WRONG)"));
    if (!right) {
      throw new IllegalStateException("wrong: " + what);
    }
  }
}

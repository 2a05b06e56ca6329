package org.troupe.deployment.ssh;

/**
 * Settings of MINA for this JVM, which apply only to those of its classes that are loaded later.
 */
public final class MinaSetup {

  static {
    if (System.getProperty("slf4j.internal.verbosity") == null) {
      // MINA's messages arrive as exceptions, so its warning about a missing logger is suppressed.
      System.setProperty("slf4j.internal.verbosity", "ERROR");
    }
    JdkEd25519.register();
  }

  private MinaSetup() {}

  /** Makes the settings; to be called in the static initializer of each class that uses MINA. */
  public static void apply() {
    // By the static initializer, which runs once.
  }
}

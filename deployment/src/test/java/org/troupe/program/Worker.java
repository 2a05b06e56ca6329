package org.troupe.program;

import java.util.concurrent.CountDownLatch;

/** An active object that reports its location, and can be kept busy forever. */
public class Worker {

  private int calls;

  public long pid() {
    return ProcessHandle.current().pid();
  }

  public String property(String name) {
    return System.getProperty(name);
  }

  public String environment(String name) {
    return System.getenv(name);
  }

  public int count() {
    return ++calls;
  }

  public void note() {
    calls++;
  }

  public String text() {
    return "answer " + ++calls;
  }

  /** Returns the standard input of the node's program. */
  public int input() {
    try {
      return System.in.read();
    } catch (java.io.IOException e) {
      return -2;
    }
  }

  public void say(String text) {
    System.out.println(text);
  }

  /** Prints a text when the JVM of the node ends. */
  public void sayAtTheEnd(String text) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(text)));
  }

  public void complain(String text) {
    System.err.println(text);
  }

  public int never() throws InterruptedException {
    System.out.println("waiting");
    new CountDownLatch(1).await();
    return 0;
  }

  /** Allocates more memory than there is. */
  public int hoard() {
    var all = new java.util.ArrayList<byte[]>();
    while (true) {
      all.add(new byte[1 << 20]);
    }
  }

  public int exit(int status) {
    System.exit(status);
    return 0;
  }
}

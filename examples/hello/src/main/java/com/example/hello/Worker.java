package com.example.hello;

/** Counts words. This is an ordinary class, which does not know that it is called from another JVM. */
public class Worker {

  private final String name;
  private int texts;

  public Worker(String name) {
    this.name = name;
  }

  /** Counts the words of a text. The caller continues at once, since the result can be a future. */
  public Count count(String text) {
    texts++;
    return new Words(text.isBlank() ? 0 : text.strip().split("\\s+").length);
  }

  /** Returns the number of texts counted so far. The caller waits for the answer, since an {@code int} cannot be a future. */
  public int texts() {
    return texts;
  }

  /** Returns a greeting. The caller waits for the answer, since a {@code String} cannot be a future. */
  public String greeting() {
    return "hello from " + name + ", process " + ProcessHandle.current().pid();
  }
}

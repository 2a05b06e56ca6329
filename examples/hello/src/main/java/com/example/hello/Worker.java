package com.example.hello;

/** Counts words. An ordinary class: nothing in it knows that it is called from another JVM. */
public class Worker {

  private final String name;
  private int texts;

  public Worker(String name) {
    this.name = name;
  }

  /** A caller goes on at once; the words are counted meanwhile. */
  public Count count(String text) {
    texts++;
    return new Words(text.isBlank() ? 0 : text.strip().split("\\s+").length);
  }

  /** A caller waits for the answer, after all that it called before. */
  public int texts() {
    return texts;
  }

  /** A caller waits for the answer: a string cannot stand for one that is still to come. */
  public String greeting() {
    return "hello from " + name + ", process " + ProcessHandle.current().pid();
  }
}

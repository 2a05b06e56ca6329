package com.example.hello;

/** How many words a text has. An interface, so that a future can stand for it. */
public interface Count {

  int words();
}

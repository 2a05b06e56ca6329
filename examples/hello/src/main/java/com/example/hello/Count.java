package com.example.hello;

/** The number of words of a text. It is an interface, so that a transparent future can implement it. */
public interface Count {

  int words();
}
